package bugs;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A client whose reader loses some answers: their requests wait for ever, until all workers do. The ticker runs on. */
public class StuckRequests {
  static final ConcurrentHashMap<Integer, CompletableFuture<String>> pending = new ConcurrentHashMap<>();
  static final ExecutorService wire = Executors.newSingleThreadExecutor(r -> new Thread(r, "wire"));

  static String call(int id) {
    CompletableFuture<String> answer = new CompletableFuture<>();
    pending.put(id, answer);
    wire.execute(() -> receive(id));
    return answer.join();
  }

  static void receive(int id) {
    if (id % 10 == 7) return; // an answer with a header that the reader skips
    pending.remove(id).complete("answer " + id);
  }

  public static void main(String[] args) throws Exception {
    ScheduledExecutorService ticker = Executors.newScheduledThreadPool(1, r -> new Thread(r, "ticker"));
    ticker.scheduleAtFixedRate(() -> System.out.println("pending " + pending.size()), 200, 200, TimeUnit.MILLISECONDS);
    ExecutorService handlers = Executors.newFixedThreadPool(4);
    for (int id = 1; id <= 60; id++) {
      int request = id;
      handlers.execute(() -> call(request));
      Thread.sleep(5);
    }
    new CountDownLatch(1).await(); // serves until it is killed
  }
}
