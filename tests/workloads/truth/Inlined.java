package truth;

/** Small methods with loops, which the compiler inlines into two callers. */
final class Inlined {
  private Inlined() {}

  public static void main(String[] args) throws Exception {
    Shares.print(
        args, Inlined.class, Inlined::run, "multiply", "rotate", "TOTAL left", "TOTAL right");
  }

  private static void run(Shares shares) {
    long x = 1;
    while (shares.startRound()) {
      x = left(x, 60, shares);
      x = right(x, 20, shares);
    }
    if (x == 0) throw new AssertionError();
  }

  private static long left(long x, int times, Shares shares) {
    long begin = shares.readClock();
    for (int i = 0; i < times; i++) x = multiply(x, 5000);
    shares.endPhase(0);
    for (int i = 0; i < times; i++) x = rotate(x, 2000);
    shares.endPhase(1);
    shares.addSince(2, begin);
    return x;
  }

  private static long right(long x, int times, Shares shares) {
    long begin = shares.readClock();
    for (int i = 0; i < times; i++) x = rotate(x, 5000);
    shares.endPhase(1);
    for (int i = 0; i < times; i++) x = multiply(x, 4000);
    shares.endPhase(0);
    shares.addSince(3, begin);
    return x;
  }

  private static long multiply(long x, int n) {
    for (int i = 0; i < n; i++) x = x * x + i;
    return x;
  }

  private static long rotate(long x, int n) {
    for (int i = 0; i < n; i++) x = (x << 13 ^ x >>> 7) + i;
    return x;
  }
}
