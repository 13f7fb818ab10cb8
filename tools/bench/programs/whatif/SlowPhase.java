package whatif;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** Four threads meet at a barrier after each phase; one has more to compute. After: it computes half of that. */
public final class SlowPhase extends Experiment {
  private final CyclicBarrier barrier = new CyclicBarrier(4);

  public static void main(String[] args) throws Exception {
    new SlowPhase().measure(args);
  }

  @Override
  public long work() throws Exception {
    int phases = count(250);
    start("coast", () -> run(phases, this::simulateCoast));
    start(3, "inland", () -> run(phases, this::simulateInland));
    return join();
  }

  private long run(int phases, Runnable phase) throws InterruptedException, BrokenBarrierException {
    for (int i = 0; i < phases; i++) {
      phase.run();
      barrier.await();
    }
    return phases;
  }

  private void simulateCoast() {
    Cpu.burn(isAfter ? 5000 : 10_000);
  }

  private void simulateInland() {
    Cpu.burn(500);
  }
}
