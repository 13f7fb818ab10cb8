package whatif;

/**
 * Orders need a lock inside another one; a reader needs only the inner one. After: the inner lock is gone, and
 * nothing is gained, as the outer one lets only one order in at a time.
 */
public final class InnerLock extends Experiment {
  static final class Outer {}

  static final class Inner {}

  private final Outer outer = new Outer();
  private final Inner inner = new Inner();
  private volatile boolean isDone;
  private long reads; // of the reader

  public static void main(String[] args) throws Exception {
    new InnerLock().measure(args);
  }

  @Override
  public long work() throws Exception {
    Thread reader = new Thread(this::readAll, "reader");
    reader.setDaemon(true);
    reader.start();
    int orders = count(300);
    start(4, "worker", () -> handle(orders));
    long units = join();
    isDone = true;
    return units;
  }

  private long handle(int orders) throws InterruptedException {
    for (int i = 0; i < orders; i++) {
      Cpu.burn(100);
      enter();
    }
    return orders;
  }

  private void enter() throws InterruptedException {
    synchronized (outer) {
      if (isAfter) {
        Thread.sleep(2);
        return;
      }
      synchronized (inner) {
        Thread.sleep(2);
      }
    }
  }

  /** Waits long for the inner lock, but holds it only for moments. */
  private void readAll() {
    while (!isDone) {
      if (isAfter) {
        reads++;
      } else {
        synchronized (inner) {
          reads++;
        }
      }
      try {
        Thread.sleep(5);
      } catch (InterruptedException e) {
        return;
      }
    }
  }
}
