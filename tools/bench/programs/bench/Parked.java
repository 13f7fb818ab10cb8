package bench;

import java.util.concurrent.CountDownLatch;

/** A thousand threads wait on a monitor, each in a stack of more than thirty frames, while one thread computes. */
final class Parked {
  private static final int THREADS = 1000;
  private static final int DEPTH = 30;

  private Parked() {}

  public static void main(String[] args) throws Exception {
    CountDownLatch reached = new CountDownLatch(THREADS);
    Object lock = new Object();
    for (int i = 0; i < THREADS; i++) {
      Thread thread = new Thread(null, () -> descendAndWait(DEPTH, reached, lock), "parked-" + i, 256 * 1024);
      thread.setDaemon(true);
      thread.start();
    }
    reached.await();
    Timing.print(args, 0, Parked::compute);
  }

  private static void descendAndWait(int depth, CountDownLatch reached, Object lock) {
    if (depth > 0) {
      descendAndWait(depth - 1, reached, lock);
      return;
    }
    reached.countDown();
    synchronized (lock) {
      try {
        lock.wait();
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private static void compute(int size) {
    long mixed = 1;
    for (int i = 0; i < size; i++) mixed = mixed * 6364136223846793005L + 1442695040888963407L;
    if (mixed == 0) throw new AssertionError();
  }
}
