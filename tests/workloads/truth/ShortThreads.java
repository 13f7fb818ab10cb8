package truth;

/** A new thread for each request, which lives for args[1] milliseconds. */
final class ShortThreads {
  private static long sink;

  private ShortThreads() {}

  public static void main(String[] args) throws Exception {
    int millis = args.length > 1 ? Integer.parseInt(args[1]) : 1;
    Shares.Group group = new Shares.Group(args, 3);
    while (group.hasTime()) {
      Thread first = group.start(shares -> serve(shares, millis));
      Thread second = group.start(shares -> serve(shares, millis));
      first.join();
      second.join();
    }
    group.print(ShortThreads.class, "parse", "answer", "log");
  }

  private static void serve(Shares shares, int millis) {
    long x = shares.thread;
    shares.startRound();
    x = parse(x, 350_000 * millis);
    shares.endPhase(0);
    x = answer(x, 200_000 * millis);
    shares.endPhase(1);
    x = log(x, 100_000 * millis);
    shares.endPhase(2);
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
