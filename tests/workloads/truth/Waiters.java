package truth;

import java.util.concurrent.locks.LockSupport;

/** Work between sleeps, parks and waits. The waits take most of the elapsed time and hardly any CPU time. */
final class Waiters {
  private static final Object LOCK = new Object();

  private Waiters() {}

  public static void main(String[] args) throws Exception {
    Shares.print(
        args, Waiters.class, 3, Waiters::run, "TOTAL sleep", "TOTAL park", "TOTAL await", "first", "second");
  }

  private static void run(Shares shares) throws InterruptedException {
    long x = 1;
    while (shares.more()) {
      x = first(x, 2_000_000);
      shares.lap(3);
      sleep();
      shares.lap(0);
      x = second(x, 1_000_000);
      shares.lap(4);
      park();
      shares.lap(1);
      await();
      shares.lap(2);
    }
    if (x == 0) throw new AssertionError();
  }

  private static void sleep() throws InterruptedException {
    Thread.sleep(7);
  }

  private static void park() {
    LockSupport.parkNanos(3_000_000);
  }

  private static void await() throws InterruptedException {
    synchronized (LOCK) {
      LOCK.wait(2);
    }
  }

  private static long first(long x, int n) {
    for (int i = 0; i < n; i++) x = x * x + i;
    return x;
  }

  private static long second(long x, int n) {
    for (int i = 0; i < n; i++) x = x * x + i;
    return x;
  }
}
