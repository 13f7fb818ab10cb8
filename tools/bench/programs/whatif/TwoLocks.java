package whatif;

/** Each order needs two locks, one after the other. After: the first is gone, so the second limits. */
public final class TwoLocks extends Experiment {
  static final class Stock {}

  static final class Invoices {}

  private final Stock stock = new Stock();
  private final Invoices invoices = new Invoices();

  public static void main(String[] args) throws Exception {
    new TwoLocks().measure(args);
  }

  @Override
  public long work() throws Exception {
    int orders = count(250);
    start(4, "worker", () -> handle(orders));
    return join();
  }

  private long handle(int orders) throws InterruptedException {
    for (int i = 0; i < orders; i++) {
      Cpu.burn(300);
      reserve();
      bill();
    }
    return orders;
  }

  private void reserve() throws InterruptedException {
    if (isAfter) {
      look();
      return;
    }
    synchronized (stock) {
      look();
    }
  }

  private void look() throws InterruptedException {
    Cpu.burn(100);
    Thread.sleep(3);
  }

  private void bill() throws InterruptedException {
    synchronized (invoices) {
      Cpu.burn(100);
      Thread.sleep(2);
    }
  }
}
