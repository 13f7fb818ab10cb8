package whatif;

/** CPU work of a fixed number of steps, so that the work does not depend on the load of the machine. */
public final class Cpu {
  /** Steps of about one microsecond on a CPU of 3 GHz. */
  private static final int MICRO = 750;

  private static volatile long sink;

  private Cpu() {}

  /** Computes for about that many microseconds of CPU time. */
  public static void burn(int micros) {
    long x = sink | 1;
    for (long i = (long) micros * MICRO; i > 0; i--) {
      x = x * 6364136223846793005L + 1442695040888963407L; // each step needs the one before
    }
    if (x == 0) sink = x; // almost never; the JIT compiler cannot remove the loop
  }

  /** Has the JVM compile the loop before it is measured. */
  static void warmUp() {
    for (int i = 0; i < 300; i++) burn(100);
  }
}
