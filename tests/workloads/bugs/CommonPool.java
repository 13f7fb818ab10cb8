package bugs;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A slow service is asked by a parallel stream; others use the same common pool. */
public class CommonPool {
  static final AtomicInteger stored = new AtomicInteger();
  static final AtomicInteger pings = new AtomicInteger();
  static volatile long slowestPing;

  static int storeDataRemoteCall(int entity) {
    try {
      Thread.sleep(150); // the answer of the server
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return stored.incrementAndGet();
  }

  static void ingest(List<Integer> entities) {
    entities.parallelStream().forEach(CommonPool::storeDataRemoteCall);
  }

  static void ping() {
    long asked = System.nanoTime();
    CompletableFuture<Integer> answer = CompletableFuture.supplyAsync(pings::incrementAndGet);
    answer.join();
    slowestPing = Math.max(slowestPing, System.nanoTime() - asked);
  }

  static void every(int millis, Runnable action) {
    try {
      while (true) {
        action.run();
        Thread.sleep(millis);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public static void main(String[] args) throws Exception {
    List<Integer> entities = IntStream.range(0, 40).boxed().collect(Collectors.toList());
    Thread ingest = new Thread(() -> every(10, () -> ingest(entities)), "data-engine-ingest");
    Thread health = new Thread(() -> every(50, CommonPool::ping), "health-check");
    ingest.setDaemon(true);
    health.setDaemon(true);
    ingest.start();
    health.start();
    Thread.sleep(3000);
    System.out.println("stored " + stored + ", pings " + pings + ", slowest ping " + slowestPing / 1_000_000 + " ms");
  }
}
