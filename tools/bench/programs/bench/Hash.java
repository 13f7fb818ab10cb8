package bench;

import java.util.HashMap;
import java.util.Map;

/** Counts random keys in a HashMap: uses the CPU, the caches and the garbage collector, and causes no events. */
final class Hash {
  private static final int KEYS = 1 << 16;

  private Hash() {}

  public static void main(String[] args) throws Exception {
    Timing.print(args, 0, Hash::run);
  }

  private static void run(int size) {
    Map<Integer, Integer> counts = new HashMap<>();
    int random = 1;
    for (int i = 0; i < size; i++) {
      random = random * 1664525 + 1013904223;
      counts.merge((random >>> 8) % KEYS, 1, Integer::sum);
    }
    int sum = counts.values().stream().mapToInt(n -> n).sum();
    if (sum != size) throw new AssertionError(sum + " counted");
  }
}
