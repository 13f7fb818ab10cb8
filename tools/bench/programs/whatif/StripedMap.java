package whatif;

/** Workers update random keys of a map under one lock, which reads a value slowly. After: 16 locks. */
public final class StripedMap extends Experiment {
  static final class Prices {}

  private static final int STRIPES = 16;

  private final Prices[] stripes = new Prices[STRIPES];

  public static void main(String[] args) throws Exception {
    new StripedMap().measure(args);
  }

  @Override
  public void setUp() {
    for (int i = 0; i < STRIPES; i++) stripes[i] = new Prices();
  }

  @Override
  public long work() throws Exception {
    int updates = count(500);
    for (int i = 1; i <= 5; i++) {
      long seed = i;
      start("worker-" + i, () -> update(updates, seed));
    }
    return join();
  }

  private long update(int updates, long seed) throws InterruptedException {
    for (int i = 0; i < updates; i++) {
      seed = seed * 6364136223846793005L + 1442695040888963407L;
      Cpu.burn(400);
      put((int) (seed >>> 33));
    }
    return updates;
  }

  private void put(int key) throws InterruptedException {
    synchronized (stripes[isAfter ? key % STRIPES : 0]) {
      Cpu.burn(50);
      Thread.sleep(1);
    }
  }
}
