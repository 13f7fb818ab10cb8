package truth;

/** Runs two seconds, then prints READY, so that an agent attaches. The time before READY does not count. */
final class AttachLate {
  private static final double BEFORE = 2;
  private static final double ATTACH = 1; // further seconds, in which the agent is loaded

  private AttachLate() {}

  public static void main(String[] args) throws Exception {
    double seconds = args.length > 0 ? Double.parseDouble(args[0]) : 4;
    String[] longer = {String.valueOf(seconds + BEFORE + ATTACH)};
    long start = System.nanoTime();
    Shares.print(longer, AttachLate.class, shares -> run(shares, start), "multiply", "rotate", "sum");
  }

  private static void run(Shares shares, long start) {
    long x = 1;
    int[] data = new int[1 << 19];
    boolean ready = false;
    while (shares.more()) {
      x = multiply(x, 500_000);
      shares.lap(0);
      x = rotate(x, 500_000);
      shares.lap(1);
      x = sum(x, data);
      shares.lap(2);
      if (!ready && System.nanoTime() - start > BEFORE * 1e9) {
        ready = true;
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
