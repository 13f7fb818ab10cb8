package bench;

/**
 * Object.notify with ten frames on the stack. With -Dbench.bare=LIBRARY each is followed by a bare walk of that stack,
 * by a native of the library: what the JVM alone takes for it.
 */
final class Walk {
  private static final int FRAMES = 10;
  private static final int OUTER = 7; // those around: notify, run, the last descend, and four that begin the program

  private static final Object LOCK = new Object();
  private static boolean bare;

  private Walk() {}

  private static native int walk();

  public static void main(String[] args) throws Exception {
    String library = System.getProperty("bench.bare");
    if (library != null) {
      System.load(library);
      bare = true;
    }
    Timing.print(args, 1, size -> descend(FRAMES - OUTER, size));
  }

  private static void descend(int frames, int size) {
    if (frames > 0) {
      descend(frames - 1, size);
    } else {
      run(size);
    }
  }

  private static void run(int size) {
    for (int i = 0; i < size; i++) {
      synchronized (LOCK) {
        LOCK.notify();
      }
      if (bare && walk() != FRAMES) {
        throw new AssertionError(walk() + " frames");
      }
    }
  }
}
