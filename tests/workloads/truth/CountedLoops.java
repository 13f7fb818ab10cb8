package truth;

/** Counted loops, which contain no safepoint poll with some garbage collectors. */
final class CountedLoops {
  private static final int[] DATA = new int[1 << 20];

  private CountedLoops() {}

  public static void main(String[] args) throws Exception {
    Shares.print(args, CountedLoops.class, CountedLoops::run, "multiply", "rotate", "sum");
  }

  private static void run(Shares shares) {
    long x = 1;
    while (shares.startRound()) {
      x = multiply(x, 1_000_000);
      shares.endPhase(0);
      x = rotate(x, 500_000);
      shares.endPhase(1);
      x = sum(x, DATA);
      shares.endPhase(2);
    }
    if (x == 0) throw new AssertionError();
  }

  private static long multiply(long x, int n) {
    for (int i = 0; i < n; i++) x = x * x + i;
    return x;
  }

  private static long rotate(long x, int n) {
    for (int i = 0; i < n; i++) x = (x << 13 ^ x >>> 7) + i;
    return x;
  }

  private static long sum(long x, int[] data) {
    for (int i = 0; i < data.length; i++) x ^= (x << 3) + data[i];
    return x;
  }
}
