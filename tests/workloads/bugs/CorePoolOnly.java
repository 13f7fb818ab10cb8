package bugs;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A pool that is meant to grow from 1 to 16 threads, with a queue that is never full: it does not grow. */
public class CorePoolOnly {
  static final AtomicInteger solved = new AtomicInteger();

  static void solve() {
    try {
      Thread.sleep(50); // asks the solver
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    solved.incrementAndGet();
  }

  public static void main(String[] args) throws Exception {
    AtomicInteger number = new AtomicInteger();
    ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 16, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
        task -> new Thread(task, "solver-" + number.incrementAndGet()));
    for (int i = 0; i < 120; i++) pool.execute(CorePoolOnly::solve);
    pool.shutdown();
    pool.awaitTermination(1, TimeUnit.MINUTES);
    System.out.println("solved " + solved + ", largest pool " + pool.getLargestPoolSize() + " of 16");
  }
}
