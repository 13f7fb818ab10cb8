package screens;

/** Eight threads compute on fewer CPUs. */
public final class TooManyThreads {
  private static volatile long sink;

  public static void main(String[] args) throws Exception {
    Thread[] threads = new Thread[8];
    for (int i = 0; i < threads.length; i++) {
      threads[i] = new Thread(TooManyThreads::simulate, "simulation-" + (i + 1));
      threads[i].start();
    }
    for (Thread thread : threads) thread.join();
  }

  private static void simulate() {
    for (long end = System.nanoTime() + 1_800_000_000L; System.nanoTime() < end; ) {
      long sum = 0;
      for (int i = 0; i < 100_000; i++) sum += i * 31 ^ sum;
      sink = sum;
    }
  }
}
