package truth;

/** Runs for two seconds, then prints READY; now an agent can attach. The time before READY does not count. */
final class AttachLate {
  private static final double SECONDS_BEFORE = 2;
  private static final double ATTACH_SECONDS = 1; // extra time, in which the agent is loaded

  private AttachLate() {}

  public static void main(String[] args) throws Exception {
    double seconds = args.length > 0 ? Double.parseDouble(args[0]) : 4;
    String[] longerArgs = {String.valueOf(seconds + SECONDS_BEFORE + ATTACH_SECONDS)};
    long start = System.nanoTime();
    Shares.print(longerArgs, AttachLate.class, shares -> run(shares, start), "multiply", "rotate", "sum");
  }

  private static void run(Shares shares, long start) {
    long x = 1;
    int[] data = new int[1 << 19];
    boolean isReady = false;
    while (shares.startRound()) {
      x = multiply(x, 500_000);
      shares.endPhase(0);
      x = rotate(x, 500_000);
      shares.endPhase(1);
      x = sum(x, data);
      shares.endPhase(2);
      if (!isReady && System.nanoTime() - start > SECONDS_BEFORE * 1e9) {
        isReady = true;
        System.out.println("READY");
        System.out.flush();
        shares.reset();
      }
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
