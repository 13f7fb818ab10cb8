package truth;

/** Throws exceptions from a stack of 60 calls. */
final class Exceptions {
  private Exceptions() {}

  public static void main(String[] args) throws Exception {
    Shares.print(args, Exceptions.class, Exceptions::run, "TOTAL attempt", "TOTAL trace", "compute");
  }

  private static void run(Shares shares) {
    long x = 1;
    while (shares.startRound()) {
      for (int i = 0; i < 50; i++) x += attempt();
      shares.endPhase(0);
      for (int i = 0; i < 10; i++) x += trace(60);
      shares.endPhase(1);
      x = compute(x, 150_000);
      shares.endPhase(2);
    }
    if (x == 0) throw new AssertionError();
  }

  private static int attempt() {
    try {
      return deeper(60);
    } catch (IllegalStateException e) {
      return 1;
    }
  }

  private static int deeper(int n) {
    if (n == 0) throw new IllegalStateException();
    return deeper(n - 1) + 1;
  }

  private static int trace(int n) {
    return n > 0 ? trace(n - 1) + 1 : new Throwable().getStackTrace().length;
  }

  private static long compute(long x, int n) {
    for (int i = 0; i < n; i++) x = x * x + i;
    return x;
  }
}
