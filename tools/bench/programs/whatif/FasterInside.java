package whatif;

/** All workers compute under one lock. After: the computation takes half as long. */
public final class FasterInside extends Experiment {
  static final class Tariff {}

  private final Tariff tariff = new Tariff();

  public static void main(String[] args) throws Exception {
    new FasterInside().measure(args);
  }

  @Override
  public long work() throws Exception {
    int orders = count(400);
    start(4, "worker", () -> handle(orders));
    return join();
  }

  private long handle(int orders) throws InterruptedException {
    for (int i = 0; i < orders; i++) {
      Thread.sleep(1);
      synchronized (tariff) {
        price();
        Cpu.burn(200);
      }
    }
    return orders;
  }

  private void price() {
    Cpu.burn(isAfter ? 800 : 1600);
  }
}
