package bench;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** The reading side of a ReentrantReadWriteLock that nobody else wants: acquired and released in a hot loop. */
final class ReadLock {
  private static int guarded;

  private ReadLock() {}

  public static void main(String[] args) throws Exception {
    Timing.print(args, 1, ReadLock::run);
  }

  private static void run(int size) {
    Lock lock = new ReentrantReadWriteLock().readLock();
    for (int i = 0; i < size; i++) {
      lock.lock();
      try {
        guarded++; // by one thread only
      } finally {
        lock.unlock();
      }
    }
  }
}
