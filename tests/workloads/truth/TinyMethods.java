package truth;

/** Two tiny methods, inlined into one loop. The compiler mixes their code, so no profiler can tell them apart. */
final class TinyMethods {
  private TinyMethods() {}

  public static void main(String[] args) throws Exception {
    Shares.print(args, TinyMethods.class, TinyMethods::run, "square", "shift");
  }

  private static void run(Shares shares) {
    long x = 1;
    while (shares.startRound()) {
      for (int i = 0; i < 500_000; i++) x = shift(square(x), i);
      shares.splitPhase(4, 2);
    }
    if (x == 0) throw new AssertionError();
  }

  private static long square(long x) {
    return x * x + 1;
  }

  private static long shift(long x, int i) {
    return (x ^ i) + (x >>> 7);
  }
}
