package bench;

/**
 * Calls Object.notify with ten frames on the stack. With -Dbench.bare=LIBRARY, a native method of the library takes
 * the same stack after each call, which measures the share of the JVM in the cost of an event.
 */
final class Walk {
  private static final int FRAMES = 10;
  private static final int OTHER_FRAMES = 7; // notify, run, the last descend, two of the lambda, print, main

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
    Timing.print(args, 1, size -> descend(FRAMES - OTHER_FRAMES, size));
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
