package bench;

/** Calls Object.notify on a monitor without waiters. */
final class Notify {
  private Notify() {}

  public static void main(String[] args) throws Exception {
    Timing.print(args, 1, Notify::run);
  }

  private static void run(int size) {
    Object lock = new Object();
    for (int i = 0; i < size; i++) {
      synchronized (lock) {
        lock.notify();
      }
    }
  }
}
