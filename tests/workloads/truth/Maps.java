package truth;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Puts into maps and gets from them. */
final class Maps {
  private static final int KEYS = 1 << 14;

  private Maps() {}

  public static void main(String[] args) throws Exception {
    Shares.print(args, Maps.class, Maps::run, "TOTAL put", "TOTAL get", "TOTAL tree");
  }

  private static void run(Shares shares) {
    long x = 1;
    while (shares.startRound()) {
      Map<Integer, Integer> map = new HashMap<>();
      put(map, KEYS);
      shares.endPhase(0);
      for (int i = 0; i < 3; i++) x += get(map, KEYS);
      shares.endPhase(1);
      x += tree(KEYS / 8);
      shares.endPhase(2);
    }
    if (x == 0) throw new AssertionError();
  }

  private static void put(Map<Integer, Integer> map, int n) {
    for (int i = 0; i < n; i++) map.put(i * 7919, i);
  }

  private static long get(Map<Integer, Integer> map, int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) sum += map.get(i * 7919);
    return sum;
  }

  private static long tree(int n) {
    Map<Integer, Integer> map = new TreeMap<>();
    for (int i = 0; i < n; i++) map.put(i * 7919 & 0xffff, i);
    return map.size();
  }
}
