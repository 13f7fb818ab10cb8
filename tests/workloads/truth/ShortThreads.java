package truth;

/** A new thread for each request, which lives 1 or 5 ms. */
final class ShortThreads {
  private static long sink;

  private ShortThreads() {}

  public static void main(String[] args) throws Exception {
    int millis = args.length > 1 ? Integer.parseInt(args[1]) : 1;
    Shares.Group group = new Shares.Group(args, 3);
    while (group.more()) {
      Thread one = group.start(shares -> serve(shares, millis));
      Thread other = group.start(shares -> serve(shares, millis));
      one.join();
      other.join();
    }
    group.print(ShortThreads.class, "parse", "answer", "log");
  }

  private static void serve(Shares shares, int millis) {
    long x = shares.thread;
    shares.more();
    x = parse(x, 350_000 * millis);
    shares.lap(0);
    x = answer(x, 200_000 * millis);
    shares.lap(1);
    x = log(x, 100_000 * millis);
    shares.lap(2);
    sink = x;
  }

  private static long parse(long x, int n) {
    for (int i = 0; i < n; i++) x = x * x + i;
    return x;
  }

  private static long answer(long x, int n) {
    for (int i = 0; i < n; i++) x = x * x + i;
    return x;
  }

  private static long log(long x, int n) {
    for (int i = 0; i < n; i++) x = x * x + i;
    return x;
  }
}
