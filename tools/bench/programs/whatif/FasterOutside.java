package whatif;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Workers compute most of the CPU time, but an auditor sleeps in the lock that each of them needs once a round.
 * After: they compute half as long, and nothing is gained.
 */
public final class FasterOutside extends Experiment {
  /** A fair lock, so that each worker gets its turn between two audits, and only one. */
  static final class Ledger extends ReentrantLock {
    private static final long serialVersionUID = 1;

    Ledger() {
      super(true);
    }
  }

  private final Ledger ledger = new Ledger();
  private volatile boolean isDone;

  public static void main(String[] args) throws Exception {
    new FasterOutside().measure(args);
  }

  @Override
  public long work() throws Exception {
    Thread auditor = new Thread(this::audit, "auditor");
    auditor.setDaemon(true);
    auditor.start();
    int orders = count(120);
    start(4, "worker", () -> handle(orders));
    long units = join();
    isDone = true;
    return units;
  }

  private long handle(int orders) {
    for (int i = 0; i < orders; i++) {
      price();
      enter();
    }
    return orders;
  }

  private void price() {
    Cpu.burn(isAfter ? 150 : 300);
  }

  private void enter() {
    ledger.lock();
    try {
      Cpu.burn(20);
    } finally {
      ledger.unlock();
    }
  }

  private void audit() {
    try {
      while (!isDone) closeBooks();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void closeBooks() throws InterruptedException {
    ledger.lock();
    try {
      Thread.sleep(20);
    } finally {
      ledger.unlock();
    }
  }
}
