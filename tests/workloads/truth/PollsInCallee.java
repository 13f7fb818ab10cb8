package truth;

/** A hot loop without a safepoint poll; only its cold callee polls. */
final class PollsInCallee {
  private static final long M = 6364136223846793005L;
  private static final int STEPS = 90; // of a loop so short that the compiler leaves the poll out

  private PollsInCallee() {}

  public static void main(String[] args) throws Exception {
    Shares.print(args, PollsInCallee.class, PollsInCallee::run, "hot", "cold");
  }

  /** The chain of multiplications takes as long in each way to compile it. The callee is one step of it and a call. */
  private static void run(Shares shares) {
    long x = 1;
    while (shares.more()) {
      x = hot(x, 2000);
      shares.split(5 * STEPS, 3);
    }
    if (x == 0) throw new AssertionError();
  }

  private static long hot(long x, int rounds) {
    for (int i = 0; i < rounds; i++) {
      for (int j = 0; j < STEPS; j++) x = x * M + j;
      for (int j = 0; j < STEPS; j++) x = x * M + j;
      for (int j = 0; j < STEPS; j++) x = x * M + j;
      for (int j = 0; j < STEPS; j++) x = x * M + j;
      for (int j = 0; j < STEPS; j++) x = x * M + j;
      x = cold(x);
    }
    return x;
  }

  /** Not inlined, by a flag. */
  private static long cold(long x) {
    return x ^ 1;
  }
}
