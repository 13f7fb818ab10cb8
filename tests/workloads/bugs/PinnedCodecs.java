package bugs;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Static initializers pin virtual threads, which wait for a lock whose owner gets no carrier. */
public class PinnedCodecs {
  static final ReentrantLock log = new ReentrantLock();

  static void write() {
    log.lock();
    try {
      Thread.sleep(100); // a slow disk
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      log.unlock();
    }
  }

  static class Orders {
    static int id;

    static {
      write();
    }
  }

  static class Customers {
    static int id;

    static {
      write();
    }
  }

  static void handle(int event) {
    if (event == 0) write();
    if (event > 0) (event % 2 == 0 ? (Runnable) () -> Orders.id++ : (Runnable) () -> Customers.id++).run();
  }

  public static void main(String[] args) throws Exception {
    // Release 17 compiles it.
    ExecutorService events = (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    events.submit(() -> handle(0));
    Thread.sleep(40);
    for (int i = 1; i <= 6; i++) {
      int event = i;
      events.submit(() -> handle(event));
    }
    events.shutdown();
    events.awaitTermination(1, TimeUnit.DAYS);
  }
}
