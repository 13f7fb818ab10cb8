package bench;

import java.util.concurrent.Semaphore;

/** Acquires and releases an uncontended semaphore: three events, at entry and exit of acquire and at release. */
final class Uncontended {
  private Uncontended() {}

  public static void main(String[] args) throws Exception {
    Timing.print(args, 3, Uncontended::run);
  }

  private static void run(int size) throws InterruptedException {
    Semaphore semaphore = new Semaphore(1);
    for (int i = 0; i < size; i++) {
      semaphore.acquire();
      semaphore.release();
    }
  }
}
