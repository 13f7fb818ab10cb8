package truth;

/** Methods that are called once and run long. The JVM compiles them while their loop runs. */
final class Osr {
  private Osr() {}

  public static void main(String[] args) throws Exception {
    double seconds = args.length > 0 ? Double.parseDouble(args[0]) : 4;
    Shares.print(args, Osr.class, shares -> run(shares, seconds), "first", "second", "nested");
  }

  /** A step (a multiplication) takes about 1.5 ns. */
  private static void run(Shares shares, double seconds) {
    shares.startRound();
    int steps = (int) (seconds * 1e8);
    long x = first(1, 3 * steps);
    shares.endPhase(0);
    x = second(x, 2L * steps);
    shares.endPhase(1);
    x = nested(x, steps / 1000);
    shares.endPhase(2);
    if (x == 0) throw new AssertionError();
  }

  private static long first(long x, int n) {
    for (int i = 0; i < n; i++) x = x * x + i;
    return x;
  }

  private static long second(long x, long n) {
    for (long i = 0; i != n; i++) x = x * x + i;
    return x;
  }

  private static long nested(long x, int n) {
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < 1000; j++) x = x * x + j;
    }
    return x;
  }
}
