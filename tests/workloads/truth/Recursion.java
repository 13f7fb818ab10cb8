package truth;

/** Work in each frame of a recursion of 30, of 100 and of 500 calls. */
final class Recursion {
  private Recursion() {}

  public static void main(String[] args) throws Exception {
    Shares.print(
        args, Recursion.class, Recursion::run, "thirty", "hundred", "many", "bottom", "TOTAL outermost");
  }

  private static void run(Shares shares) {
    long x = 1;
    while (shares.more()) {
      for (int i = 0; i < 200; i++) x = thirty(x, 30);
      shares.lap(0);
      for (int i = 0; i < 30; i++) x = hundred(x, 100);
      shares.lap(1);
      long begin = shares.now();
      x = outermost(x, shares);
      shares.add(4, begin);
    }
    if (x == 0) throw new AssertionError();
  }

  private static long outermost(long x, Shares shares) {
    for (int i = 0; i < 4; i++) x = many(x, 500, null);
    shares.lap(2);
    return many(x, -500, shares);
  }

  private static long thirty(long x, int deeper) {
    if (deeper == 0) return x;
    for (int i = 0; i < 150; i++) x = x * x + i;
    return thirty(x, deeper - 1) + 1;
  }

  private static long hundred(long x, int deeper) {
    if (deeper == 0) return x;
    for (int i = 0; i < 150; i++) x = x * x + i;
    return hundred(x, deeper - 1) + 1;
  }

  /** Without work on the way, and with it only at the bottom, where `deeper` is negative. */
  private static long many(long x, int deeper, Shares shares) {
    if (deeper == 0) return shares == null ? x : bottom(x, shares);
    if (deeper < 0) return many(x, deeper + 1, shares) + 1;
    for (int i = 0; i < 150; i++) x = x * x + i;
    return many(x, deeper - 1, shares) + 1;
  }

  private static long bottom(long x, Shares shares) {
    for (int i = 0; i < 400_000; i++) x = x * x + i;
    shares.lap(3);
    return x;
  }
}
