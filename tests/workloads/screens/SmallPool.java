package screens;

import java.lang.reflect.Method;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Five connections for many threads: 60 platform threads, or 500 virtual ones. */
public final class SmallPool {
  private static final Semaphore CONNECTIONS = new Semaphore(5, true);

  public static void main(String[] args) throws Exception {
    boolean virtual = args.length > 0;
    ExecutorService pool = virtual ? newVirtualPool() : Executors.newFixedThreadPool(60);
    for (int i = 0; i < (virtual ? 500 : 240); i++) pool.submit(SmallPool::query);
    pool.shutdown();
    pool.awaitTermination(60, TimeUnit.SECONDS);
  }

  private static ExecutorService newVirtualPool() throws Exception {
    Method method = Executors.class.getMethod("newVirtualThreadPerTaskExecutor");
    return (ExecutorService) method.invoke(null);
  }

  private static void query() {
    CONNECTIONS.acquireUninterruptibly();
    try {
      Thread.sleep(30);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      CONNECTIONS.release();
    }
  }
}
