package truth;

/** Four phases that repeat in step with the sampler: each takes args[1] milliseconds of CPU time. */
final class InStep {
  private InStep() {}

  public static void main(String[] args) throws Exception {
    long nanos = (args.length > 1 ? Integer.parseInt(args[1]) : 5) * 1_000_000L;
    Shares.print(args, InStep.class, shares -> run(shares, nanos), "twice", "once", "other");
  }

  private static void run(Shares shares, long nanos) {
    long x = 1;
    while (shares.startRound()) {
      while (shares.phaseNanos() < nanos) x = twice(x, 50_000);
      shares.endPhase(0);
      while (shares.phaseNanos() < nanos) x = once(x, 50_000);
      shares.endPhase(1);
      while (shares.phaseNanos() < nanos) x = twice(x, 50_000);
      shares.endPhase(0);
      while (shares.phaseNanos() < nanos) x = other(x, 50_000);
      shares.endPhase(2);
    }
    if (x == 0) throw new AssertionError();
  }

  private static long twice(long x, int n) {
    for (int i = 0; i < n; i++) x = x * x + i;
    return x;
  }

  private static long once(long x, int n) {
    for (int i = 0; i < n; i++) x = x * x + i;
    return x;
  }

  private static long other(long x, int n) {
    for (int i = 0; i < n; i++) x = x * x + i;
    return x;
  }
}
