package bench;

/** Runs the work of a case: a bit of it to warm up, then all of it by the clock. */
final class Timing {
  /** A part of the work that suffices for the JVM to compile what is hot. */
  private static final int WARM_UP = 8;

  interface Work {
    void run(int size) throws Exception;
  }

  private Timing() {}

  /** Prints the nanoseconds that the work of this size took, and the events that an agent sees in it. */
  static void print(String[] args, int eventsEach, Work work) throws Exception {
    int size = Integer.parseInt(args[0]);
    work.run(size / WARM_UP);
    long start = System.nanoTime();
    work.run(size);
    System.out.println(System.nanoTime() - start + " " + (long) size * eventsEach);
  }
}
