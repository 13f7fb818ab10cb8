package bench;

import java.util.concurrent.CountDownLatch;

/** A thousand threads that wait, thirty frames deep, and one that works. */
final class Parked {
  private static final int THREADS = 1000;
  private static final int DEPTH = 30;

  private Parked() {}

  public static void main(String[] args) throws Exception {
    CountDownLatch there = new CountDownLatch(THREADS);
    Object lock = new Object();
    for (int i = 0; i < THREADS; i++) {
      Thread thread = new Thread(null, () -> sink(DEPTH, there, lock), "parked-" + i, 256 * 1024);
      thread.setDaemon(true);
      thread.start();
    }
    there.await();
    Timing.print(args, 0, Parked::work);
  }

  private static void sink(int depth, CountDownLatch there, Object lock) {
    if (depth > 0) {
      sink(depth - 1, there, lock);
      return;
    }
    there.countDown();
    synchronized (lock) {
      try {
        lock.wait();
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private static void work(int size) {
    long mixed = 1;
    for (int i = 0; i < size; i++) mixed = mixed * 6364136223846793005L + 1442695040888963407L;
    if (mixed == 0) throw new AssertionError();
  }
}
