package bugs;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Two transfers in opposite directions; one of them gives up after a minute. */
public class PatientTransfer {
  static final ReentrantLock savings = new ReentrantLock(), current = new ReentrantLock();
  static final CountDownLatch both = new CountDownLatch(2);

  static void meet() throws InterruptedException {
    both.countDown();
    both.await();
  }

  static void save() {
    current.lock();
    try {
      meet();
      if (savings.tryLock(60, TimeUnit.SECONDS)) savings.unlock();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      current.unlock();
    }
  }

  static void spend() {
    savings.lock();
    try {
      meet();
      current.lock();
      current.unlock();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      savings.unlock();
    }
  }

  public static void main(String[] args) throws Exception {
    new Thread(PatientTransfer::save, "saver").start();
    new Thread(PatientTransfer::spend, "spender").start();
    while (true) Thread.sleep(250);
  }
}
