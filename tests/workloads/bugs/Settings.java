package bugs;

/** Static synchronized methods: all threads share the lock of one class, and one sleeps under it. */
public class Settings {
  static class Registry {
    static int reads;

    static synchronized int read() {
      return ++reads;
    }
  }

  static void reload() throws InterruptedException {
    synchronized (Registry.class) {
      Thread.sleep(300); // reads a file of a slow share
    }
  }

  static void serve(long end) {
    while (System.nanoTime() < end) {
      Registry.read();
      try {
        Thread.sleep(5);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  public static void main(String[] args) throws Exception {
    long end = System.nanoTime() + 3_000_000_000L;
    Thread[] threads = new Thread[4];
    for (int i = 0; i < 4; i++) {
      threads[i] = new Thread(() -> serve(end), "request-" + (i + 1));
      threads[i].start();
    }
    while (System.nanoTime() < end) {
      reload();
      Thread.sleep(50);
    }
    for (Thread t : threads) t.join();
    System.out.println("reads " + Registry.reads);
  }
}
