package bench;

import java.util.concurrent.locks.ReentrantLock;

/** Acquires and releases an uncontended ReentrantLock in a hot loop. */
final class Lock {
  private static int guarded;

  private Lock() {}

  public static void main(String[] args) throws Exception {
    Timing.print(args, 1, Lock::run);
  }

  private static void run(int size) {
    ReentrantLock lock = new ReentrantLock();
    for (int i = 0; i < size; i++) {
      lock.lock();
      try {
        guarded++;
      } finally {
        lock.unlock();
      }
    }
  }
}
