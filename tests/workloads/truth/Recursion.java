package truth;

/** Recursions of 30, 100 and 500 calls, with work in each frame. */
final class Recursion {
  private Recursion() {}

  public static void main(String[] args) throws Exception {
    Shares.print(
        args, Recursion.class, Recursion::run, "thirty", "hundred", "many", "bottom", "TOTAL outermost");
  }

  private static void run(Shares shares) {
    long x = 1;
    while (shares.startRound()) {
      for (int i = 0; i < 200; i++) x = thirty(x, 30);
      shares.endPhase(0);
      for (int i = 0; i < 30; i++) x = hundred(x, 100);
      shares.endPhase(1);
      long begin = shares.readClock();
      x = outermost(x, shares);
      shares.addSince(4, begin);
    }
    if (x == 0) throw new AssertionError();
  }

  private static long outermost(long x, Shares shares) {
    for (int i = 0; i < 4; i++) x = many(x, 500, null);
    shares.endPhase(2);
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

  /** With a positive `deeper`, each of that many frames works. With a negative one, only `bottom` works. */
  private static long many(long x, int deeper, Shares shares) {
    if (deeper == 0) return shares == null ? x : bottom(x, shares);
    if (deeper < 0) return many(x, deeper + 1, shares) + 1;
    for (int i = 0; i < 150; i++) x = x * x + i;
    return many(x, deeper - 1, shares) + 1;
  }

  private static long bottom(long x, Shares shares) {
    for (int i = 0; i < 400_000; i++) x = x * x + i;
    shares.endPhase(3);
    return x;
  }
}
