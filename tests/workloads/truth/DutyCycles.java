package truth;

/** Two threads that always use the CPU, and fourteen that repeatedly work for a millisecond and sleep. */
final class DutyCycles {
  private DutyCycles() {}

  public static void main(String[] args) throws Exception {
    Shares.print(args, DutyCycles.class, 16, DutyCycles::run, "burn", "work", "check");
  }

  private static void run(Shares shares) throws InterruptedException {
    long x = 1;
    while (shares.startRound()) {
      if (shares.thread <= 2) {
        x = burn(x, 1_000_000);
        shares.endPhase(0);
      } else {
        x = work(x, 500_000);
        shares.endPhase(1);
        x = check(x, 200_000);
        shares.endPhase(2);
        Thread.sleep(10 + shares.thread);
      }
    }
    if (x == 0) throw new AssertionError();
  }

  private static long burn(long x, int n) {
    for (int i = 0; i < n; i++) x = x * x + i;
    return x;
  }

  private static long work(long x, int n) {
    for (int i = 0; i < n; i++) x = x * x + i;
    return x;
  }

  private static long check(long x, int n) {
    for (int i = 0; i < n; i++) x = x * x + i;
    return x;
  }
}
