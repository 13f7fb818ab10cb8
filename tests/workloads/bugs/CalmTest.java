package bugs;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A healthy test: main waits for a slow task, which sleeps for most of its time. */
public class CalmTest {
  static int wait(int seconds) throws InterruptedException {
    for (int i = 0; i < seconds * 10; i++) Thread.sleep(100);
    return seconds;
  }

  public static void main(String[] args) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(2);
    Future<Integer> slow = pool.submit(() -> wait(9));
    Future<Integer> slower = pool.submit(() -> slow.get() + 1);
    CompletableFuture<Integer> all = CompletableFuture.supplyAsync(() -> 1);
    System.out.println(slower.get() + all.get());
    pool.shutdown();
  }
}
