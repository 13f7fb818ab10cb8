package bench;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Acquires and releases the uncontended read lock of a ReentrantReadWriteLock in a hot loop. */
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
        guarded++; // there is only one thread
      } finally {
        lock.unlock();
      }
    }
  }
}
