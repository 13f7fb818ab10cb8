package bench;

/** Starts and joins one thread after another. Each causes five events: start, started, join, ended, joined. */
final class Threads {
  private Threads() {}

  public static void main(String[] args) throws Exception {
    Timing.print(args, 5, Threads::run);
  }

  private static void run(int size) throws InterruptedException {
    for (int i = 0; i < size; i++) {
      Thread thread = new Thread(() -> {});
      thread.start();
      thread.join();
    }
  }
}
