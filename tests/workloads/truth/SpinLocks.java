package truth;

import java.util.concurrent.atomic.AtomicBoolean;

/** Two threads contend for two spin locks. Waiters of the second lock also call Thread.onSpinWait. */
final class SpinLocks {
  private static final AtomicBoolean PLAIN = new AtomicBoolean();
  private static final AtomicBoolean WITH_ON_SPIN_WAIT = new AtomicBoolean();

  private SpinLocks() {}

  public static void main(String[] args) throws Exception {
    Shares.print(
        args, SpinLocks.class, 2, SpinLocks::run, "TOTAL spin", "TOTAL spinAndWait", "guarded", "outside");
  }

  private static void run(Shares shares) {
    long x = shares.thread;
    while (shares.startRound()) {
      spin();
      shares.endPhase(0);
      x = guarded(x, 400_000);
      PLAIN.set(false);
      shares.endPhase(2);
      x = outside(x, 200_000);
      shares.endPhase(3);
      spinAndWait();
      shares.endPhase(1);
      x = guarded(x, 400_000);
      WITH_ON_SPIN_WAIT.set(false);
      shares.endPhase(2);
    }
    if (x == 0) throw new AssertionError();
  }

  private static void spin() {
    while (!PLAIN.compareAndSet(false, true)) {}
  }

  private static void spinAndWait() {
    while (!WITH_ON_SPIN_WAIT.compareAndSet(false, true)) Thread.onSpinWait();
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
