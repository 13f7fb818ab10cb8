package truth;

import java.util.concurrent.locks.LockSupport;

/** Works between sleeps, parks and waits, which take most of the elapsed time but hardly any CPU time. */
final class Waiters {
  private static final Object LOCK = new Object();

  private Waiters() {}

  public static void main(String[] args) throws Exception {
    Shares.print(
        args, Waiters.class, 3, Waiters::run, "TOTAL sleep", "TOTAL park", "TOTAL await", "first", "second");
  }

  private static void run(Shares shares) throws InterruptedException {
    long x = 1;
    while (shares.startRound()) {
      x = first(x, 2_000_000);
      shares.endPhase(3);
      sleep();
      shares.endPhase(0);
      x = second(x, 1_000_000);
      shares.endPhase(4);
      park();
      shares.endPhase(1);
      await();
      shares.endPhase(2);
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
