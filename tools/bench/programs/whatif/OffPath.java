package whatif;

/**
 * Helpers wait long for a lock, while the workers compute without it. After: the helpers have no lock, and
 * nothing is gained.
 */
public final class OffPath extends Experiment {
  static final class Statistics {}

  private final Statistics statistics = new Statistics();
  private volatile boolean isDone;

  public static void main(String[] args) throws Exception {
    new OffPath().measure(args);
  }

  @Override
  public long work() throws Exception {
    for (String name : new String[] {"flusher", "reporter-1", "reporter-2"}) {
      Thread helper = new Thread(this::help, name);
      helper.setDaemon(true);
      helper.start();
    }
    int orders = count(1000);
    start(2, "worker", () -> handle(orders));
    long units = join();
    isDone = true;
    return units;
  }

  private long handle(int orders) throws InterruptedException {
    for (int i = 0; i < orders; i++) {
      Cpu.burn(300);
      Thread.sleep(2);
    }
    return orders;
  }

  private void help() {
    try {
      while (!isDone) sum();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void sum() throws InterruptedException {
    if (isAfter) {
      Thread.sleep(50);
    } else {
      synchronized (statistics) {
        Thread.sleep(50);
      }
    }
    Thread.sleep(1); // lets another helper acquire the lock
  }
}
