package whatif;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** Three stages with queues between them. After: the slowest one computes half, so the last one limits. */
public final class Pipeline extends Experiment {
  private static final int END = -1;

  private final BlockingQueue<Integer> parsed = new ArrayBlockingQueue<>(8);
  private final BlockingQueue<Integer> priced = new ArrayBlockingQueue<>(8);

  public static void main(String[] args) throws Exception {
    new Pipeline().measure(args);
  }

  @Override
  public long work() throws Exception {
    int orders = count(600);
    start("writer", this::writeAll);
    start("pricer", this::priceAll);
    start("parser", () -> parseAll(orders));
    return join();
  }

  private long parseAll(int orders) throws InterruptedException {
    for (int i = 0; i < orders; i++) {
      parse();
      parsed.put(i);
    }
    parsed.put(END);
    return 0;
  }

  private long priceAll() throws InterruptedException {
    int order;
    while ((order = parsed.take()) != END) {
      price();
      priced.put(order);
    }
    priced.put(END);
    return 0;
  }

  private long writeAll() throws InterruptedException {
    long units = 0;
    while (priced.take() != END) {
      write();
      units++;
    }
    return units;
  }

  private void parse() {
    Cpu.burn(500);
  }

  private void price() {
    Cpu.burn(isAfter ? 2500 : 5000);
  }

  private void write() throws InterruptedException {
    Cpu.burn(100);
    Thread.sleep(2);
  }
}
