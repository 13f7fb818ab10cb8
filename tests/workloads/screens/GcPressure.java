package screens;

import java.util.ArrayDeque;

/** Most of the CPU time goes to the garbage collector: run it with -Xmx64m. */
public final class GcPressure {
  public static void main(String[] args) {
    ArrayDeque<byte[]> kept = new ArrayDeque<>();
    for (long end = System.nanoTime() + 1_800_000_000L; System.nanoTime() < end; ) {
      for (int i = 0; i < 1000; i++) {
        kept.add(new byte[1024]);
        if (kept.size() > 45_000) kept.remove();
      }
    }
  }
}
