package whatif;

/** Workers need a ledger that an auditor locks while it sleeps. After: the ledger has no lock. */
public final class OneLock extends Experiment {
  static final class Ledger {}

  private final Ledger ledger = new Ledger();
  private volatile boolean isDone;

  public static void main(String[] args) throws Exception {
    new OneLock().measure(args);
  }

  @Override
  public long work() throws Exception {
    Thread auditor = new Thread(this::audit, "auditor");
    auditor.setDaemon(true);
    auditor.start();
    int orders = count(700);
    start(4, "worker", () -> handle(orders));
    long units = join();
    isDone = true;
    return units;
  }

  private long handle(int orders) throws InterruptedException {
    for (int i = 0; i < orders; i++) {
      Cpu.burn(300);
      Thread.sleep(1);
      enter();
    }
    return orders;
  }

  private void enter() {
    if (isAfter) {
      Cpu.burn(10);
      return;
    }
    synchronized (ledger) {
      Cpu.burn(10);
    }
  }

  private void audit() {
    try {
      while (!isDone) {
        closeBooks();
        Thread.sleep(10);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void closeBooks() throws InterruptedException {
    if (isAfter) {
      Thread.sleep(20);
      return;
    }
    synchronized (ledger) {
      Thread.sleep(20);
    }
  }
}
