package truth;

/** Two threads acquire uncontended monitors often, and contend for a shared one. */
final class Monitors {
  private static final Object SHARED = new Object();
  private static long guarded;

  private final Object own = new Object();
  private long counter;

  private Monitors() {}

  public static void main(String[] args) throws Exception {
    Shares.print(
        args,
        Monitors.class,
        2,
        shares -> new Monitors().run(shares),
        "TOTAL lockOften",
        "TOTAL contend",
        "compute");
  }

  private void run(Shares shares) {
    long x = 1;
    while (shares.startRound()) {
      lockOften(15_000);
      shares.endPhase(0);
      contend(20_000);
      shares.endPhase(1);
      x = compute(x, 400_000);
      shares.endPhase(2);
    }
    if (x == 0) throw new AssertionError();
  }

  private void lockOften(int n) {
    for (int i = 0; i < n; i++) {
      synchronized (own) {
        counter++;
      }
      countSynchronized();
    }
  }

  private synchronized void countSynchronized() {
    counter++;
  }

  private static void contend(int n) {
    for (int i = 0; i < n; i++) {
      synchronized (SHARED) {
        guarded += i;
      }
    }
  }

  private static long compute(long x, int n) {
    for (int i = 0; i < n; i++) x = x * x + i;
    return x;
  }
}
