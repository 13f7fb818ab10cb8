import java.util.concurrent.locks.ReentrantLock;

/** The recording `locks`: four clerks wait for a monitor and for a ReentrantLock, and one waits for a signal. */
final class Queueing {
  private final Object counter = new Object();
  private final ReentrantLock till = new ReentrantLock();
  private int customers;

  public static void main(String[] args) throws Exception {
    Queueing shop = new Queueing();
    Thread[] clerks = new Thread[4];
    for (int i = 0; i < clerks.length; i++) {
      clerks[i] = new Thread(shop::serve, "clerk-" + (i + 1));
      clerks[i].start();
    }
    Thread manager = new Thread(shop::waitForCustomers, "manager");
    manager.start();
    for (Thread clerk : clerks) clerk.join();
    manager.join();
  }

  private void serve() {
    for (int i = 0; i < 5; i++) {
      synchronized (counter) {
        pause(3);
        customers++;
        counter.notifyAll();
      }
      till.lock();
      try {
        pause(2);
      } finally {
        till.unlock();
      }
    }
  }

  private void waitForCustomers() {
    synchronized (counter) {
      while (customers < 20) {
        try {
          counter.wait();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
    }
  }

  private static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
