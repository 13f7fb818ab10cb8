package whatif;

/** Six threads need more CPU time than two CPUs have, and queue for a lock. After: no lock, and little is gained. */
public final class Saturated extends Experiment {
  static final class Totals {}

  private final Totals totals = new Totals();

  public static void main(String[] args) throws Exception {
    new Saturated().measure(args);
  }

  @Override
  public long work() throws Exception {
    int orders = count(600);
    start(6, "worker", () -> handle(orders));
    return join();
  }

  private long handle(int orders) {
    for (int i = 0; i < orders; i++) {
      Cpu.burn(1350);
      add();
    }
    return orders;
  }

  private void add() {
    if (isAfter) {
      Cpu.burn(150);
      return;
    }
    synchronized (totals) {
      Cpu.burn(150);
    }
  }
}
