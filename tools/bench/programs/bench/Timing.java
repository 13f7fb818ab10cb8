package bench;

/** Measures the work of a case after a warm-up. */
final class Timing {
  /** The warm-up is one WARM_UP-th of the work, enough for the JVM to compile the hot methods. */
  private static final int WARM_UP = 8;

  interface Work {
    void run(int size) throws Exception;
  }

  private Timing() {}

  /** Runs work of size args[0]. Prints its nanoseconds, and its number of events: eventsEach for each unit of size. */
  static void print(String[] args, int eventsEach, Work work) throws Exception {
    int size = Integer.parseInt(args[0]);
    work.run(size / WARM_UP);
    long start = System.nanoTime();
    work.run(size);
    System.out.println(System.nanoTime() - start + " " + (long) size * eventsEach);
  }
}
