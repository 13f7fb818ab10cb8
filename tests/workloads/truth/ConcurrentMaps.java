package truth;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Four threads that use the same ConcurrentHashMap. */
final class ConcurrentMaps {
  private static final ConcurrentMap<Integer, Integer> MAP = new ConcurrentHashMap<>();

  private ConcurrentMaps() {}

  public static void main(String[] args) throws Exception {
    Shares.print(
        args, ConcurrentMaps.class, 4, ConcurrentMaps::run, "TOTAL merge", "TOTAL get", "TOTAL iterate", "compute");
  }

  private static void run(Shares shares) {
    long x = 1;
    while (shares.startRound()) {
      merge(10_000);
      shares.endPhase(0);
      x += get(20_000);
      shares.endPhase(1);
      x += iterate();
      shares.endPhase(2);
      x = compute(x, 300_000);
      shares.endPhase(3);
    }
    if (x == 0) throw new AssertionError();
  }

  private static void merge(int n) {
    for (int i = 0; i < n; i++) MAP.merge(i * 31 & 1023, 1, Integer::sum);
  }

  private static long get(int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) sum += MAP.getOrDefault(i * 31 & 2047, 0);
    return sum;
  }

  private static long iterate() {
    long sum = 0;
    for (int round = 0; round < 20; round++) {
      for (int value : MAP.values()) sum += value;
    }
    return sum;
  }

  private static long compute(long x, int n) {
    for (int i = 0; i < n; i++) x = x * x + i;
    return x;
  }
}
