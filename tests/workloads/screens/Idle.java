package screens;

/** Does nothing: main sleeps, and a pool waits for tasks that do not come. */
public final class Idle {
  public static void main(String[] args) throws Exception {
    java.util.concurrent.ExecutorService pool = java.util.concurrent.Executors.newFixedThreadPool(3);
    for (int i = 0; i < 3; i++) pool.submit(() -> {});
    rest();
    pool.shutdown();
  }

  private static void rest() throws InterruptedException {
    Thread.sleep(2500);
  }
}
