package truth;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/**
 * Virtual threads (from JDK 21). They have no CPU clock, so the methods do the same kind of work in fixed proportions.
 * If args[1] is `yield`, each thread yields between the methods.
 */
final class Virtual {
  private static final int AT_ONCE = 8;
  private static volatile long sink;

  private Virtual() {}

  public static void main(String[] args) throws Exception {
    Class<?> builders = Class.forName("java.lang.Thread$Builder");
    Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
    builders.getMethod("name", String.class, long.class).invoke(builder, "truth-", 1L);
    Method start = builders.getMethod("start", Runnable.class);
    boolean yields = args.length > 1 && args[1].equals("yield");
    double seconds = args.length > 0 ? Double.parseDouble(args[0]) : 4;
    long deadline = System.nanoTime() + (long) (seconds * 1e9);
    while (System.nanoTime() < deadline) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < AT_ONCE; i++) {
        threads.add((Thread) start.invoke(builder, (Runnable) () -> serve(yields)));
      }
      for (Thread thread : threads) thread.join();
    }
    System.out.println("TRUTH-THREAD truth-* ForkJoinPool-*"); // the virtual threads, or their carriers
    Shares.print(Virtual.class, new long[] {50, 30, 20, 100}, 100, "parse", "answer", "log", "TOTAL serve");
  }

  private static void serve(boolean yields) {
    long x = 1;
    for (int i = 0; i < 20; i++) {
      x = parse(x, 50_000);
      if (yields) Thread.yield();
      x = answer(x, 30_000);
      if (yields) Thread.yield();
      x = log(x, 20_000);
    }
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
