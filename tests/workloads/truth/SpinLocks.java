package truth;

import java.util.concurrent.atomic.AtomicBoolean;

/** Two threads with locks that spin: with compareAndSet alone, and with Thread.onSpinWait. */
final class SpinLocks {
  private static final AtomicBoolean PLAIN = new AtomicBoolean();
  private static final AtomicBoolean PATIENT = new AtomicBoolean();

  private SpinLocks() {}

  public static void main(String[] args) throws Exception {
    Shares.print(
        args, SpinLocks.class, 2, SpinLocks::run, "TOTAL spin", "TOTAL spinAndWait", "guarded", "outside");
  }

  private static void run(Shares shares) {
    long x = shares.thread;
    while (shares.more()) {
      spin();
      shares.lap(0);
      x = guarded(x, 400_000);
      PLAIN.set(false);
      shares.lap(2);
      x = outside(x, 200_000);
      shares.lap(3);
      spinAndWait();
      shares.lap(1);
      x = guarded(x, 400_000);
      PATIENT.set(false);
      shares.lap(2);
    }
    if (x == 0) throw new AssertionError();
  }

  private static void spin() {
    while (!PLAIN.compareAndSet(false, true)) {}
  }

  private static void spinAndWait() {
    while (!PATIENT.compareAndSet(false, true)) Thread.onSpinWait();
  }

  private static long guarded(long x, int n) {
    for (int i = 0; i < n; i++) x = x * x + i;
    return x;
  }

  private static long outside(long x, int n) {
    for (int i = 0; i < n; i++) x = x * x + i;
    return x;
  }
}
