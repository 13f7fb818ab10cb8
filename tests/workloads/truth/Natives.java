package truth;

/** Calls short native methods and intrinsics often. */
final class Natives {
  private Natives() {}

  public static void main(String[] args) throws Exception {
    Shares.print(
        args, Natives.class, Natives::run, "TOTAL clock", "TOTAL hash", "TOTAL walk", "TOTAL current", "compute");
  }

  private static void run(Shares shares) {
    long x = 1;
    while (shares.startRound()) {
      x += clock(30_000);
      shares.endPhase(0);
      x += hash(10_000);
      shares.endPhase(1);
      x += walk(300);
      shares.endPhase(2);
      x += current(1_500_000);
      shares.endPhase(3);
      x = compute(x, 400_000);
      shares.endPhase(4);
    }
    if (x == 0) throw new AssertionError();
  }

  private static long clock(int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) sum += System.nanoTime();
    return sum;
  }

  private static long hash(int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) sum += new Object().hashCode();
    return sum;
  }

  private static long walk(int n) {
    StackWalker walker = StackWalker.getInstance();
    long sum = 0;
    for (int i = 0; i < n; i++) sum += walker.walk(frames -> frames.count());
    return sum;
  }

  private static long current(int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) sum += Thread.currentThread().isInterrupted() ? 1 : i;
    return sum;
  }

  private static long compute(long x, int n) {
    for (int i = 0; i < n; i++) x = x * x + i;
    return x;
  }
}
