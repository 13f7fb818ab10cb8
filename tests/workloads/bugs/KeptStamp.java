package bugs;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.StampedLock;

/** Readers of prices. The one that loads them converts its stamp, and then gives the old one back, which throws. */
public class KeptStamp {
  static final StampedLock lock = new StampedLock();
  static final AtomicLong failures = new AtomicLong();
  static int[] prices;

  static int read(int at) throws InterruptedException {
    long stamp = lock.readLock();
    try {
      if (prices == null) {
        if (lock.tryConvertToWriteLock(stamp) == 0) throw new IllegalStateException("another one reads");
        Thread.sleep(100);
        prices = new int[10];
      }
      return prices[at];
    } finally {
      lock.unlockRead(stamp);
    }
  }

  static void serve() {
    try {
      for (int i = 0; i < 100_000; i++) {
        try {
          read(i % 10);
        } catch (IllegalMonitorStateException e) {
          failures.incrementAndGet();
        }
        Thread.sleep(10);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public static void main(String[] args) throws Exception {
    Thread loader = new Thread(KeptStamp::serve, "loader");
    loader.start();
    while (!lock.isWriteLocked()) Thread.sleep(1);
    Thread[] readers = new Thread[3];
    for (int i = 0; i < readers.length; i++) {
      readers[i] = new Thread(KeptStamp::serve, "reader-" + i);
      readers[i].start();
    }
    Thread ticker = new Thread(() -> {
      try {
        while (true) Thread.sleep(200);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }, "ticker");
    ticker.setDaemon(true);
    ticker.start();
    for (Thread reader : readers) reader.join();
    loader.join();
  }
}
