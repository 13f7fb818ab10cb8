package truth;

import java.util.HashMap;
import java.util.Map;

/** Loops, calls, a map and strings. tools/bench/truth runs it interpreted and with each compiler. */
final class SimpleMix {
  private SimpleMix() {}

  public static void main(String[] args) throws Exception {
    Shares.print(args, SimpleMix.class, SimpleMix::run, "multiply", "sieve", "TOTAL count", "TOTAL spell");
  }

  private static void run(Shares shares) {
    long x = 1;
    boolean[] composite = new boolean[20_000];
    Map<Integer, Integer> map = new HashMap<>();
    while (shares.startRound()) {
      x = multiply(x, 50_000);
      shares.endPhase(0);
      x += sieve(composite);
      shares.endPhase(1);
      x += count(map, 3000);
      shares.endPhase(2);
      x += spell(1000);
      shares.endPhase(3);
    }
    if (x == 0) throw new AssertionError();
  }

  private static long multiply(long x, int n) {
    for (int i = 0; i < n; i++) x = x * x + i;
    return x;
  }

  private static int sieve(boolean[] composite) {
    int primes = 0;
    for (int i = 2; i < composite.length; i++) composite[i] = false;
    for (int i = 2; i < composite.length; i++) {
      if (composite[i]) continue;
      primes++;
      for (int j = 2 * i; j < composite.length; j += i) composite[j] = true;
    }
    return primes;
  }

  private static int count(Map<Integer, Integer> map, int n) {
    for (int i = 0; i < n; i++) map.merge(i * 31 & 255, 1, Integer::sum);
    return map.size();
  }

  private static int spell(int n) {
    int length = 0;
    for (int i = 0; i < n; i++) length += Integer.toString(i * 7919).length();
    return length;
  }
}
