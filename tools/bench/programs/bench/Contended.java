package bench;

/** Four threads increment a counter under one monitor. The number of contended acquisitions varies. */
final class Contended {
  private static final int THREADS = 4;

  private final Object monitor = new Object();
  private long counter;

  private Contended() {}

  public static void main(String[] args) throws Exception {
    Timing.print(args, 0, size -> new Contended().run(size));
  }

  private void run(int size) throws InterruptedException {
    Thread[] threads = new Thread[THREADS];
    for (int i = 0; i < THREADS; i++) {
      threads[i] = new Thread(() -> increment(size / THREADS));
      threads[i].start();
    }
    for (Thread thread : threads) thread.join();
    if (counter != size / THREADS * THREADS) throw new AssertionError(counter);
  }

  private void increment(int times) {
    for (int i = 0; i < times; i++) {
      synchronized (monitor) {
        counter++;
      }
    }
  }
}
