package screens;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** All workers of a pool wait for tasks that are queued behind them. */
public final class PoolStarvation {
  private static final int WORKERS = 4;

  public static void main(String[] args) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(WORKERS);
    for (int i = 0; i < WORKERS; i++) pool.submit(() -> loadPage(pool));
    boolean done = pool.awaitTermination(1500, TimeUnit.MILLISECONDS);
    System.out.println("done " + done);
    Runtime.getRuntime().halt(0);
  }

  private static String loadPage(ExecutorService pool) throws Exception {
    Thread.sleep(50); // until all workers are here
    Future<String> image = pool.submit(() -> "image");
    return image.get();
  }
}
