package whatif;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * A producer delivers parcels in slow batches, and the consumers queue for a journal with each batch. After: the
 * journal has no lock. The consumers are then idle longer, and nothing is gained.
 */
public final class SlowProducer extends Experiment {
  static final class Journal {}

  private static final int CONSUMERS = 4, BATCH = 8, END = -1;

  private final Journal journal = new Journal();
  private final BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(4 * BATCH);

  public static void main(String[] args) throws Exception {
    new SlowProducer().measure(args);
  }

  @Override
  public long work() throws Exception {
    int batches = count(125);
    start(CONSUMERS, "consumer", this::consume);
    start("producer", () -> produce(batches));
    return join();
  }

  private long produce(int batches) throws InterruptedException {
    for (int i = 0; i < batches; i++) {
      Thread.sleep(20);
      for (int k = 0; k < BATCH; k++) queue.put(k);
    }
    for (int i = 0; i < CONSUMERS; i++) queue.put(END);
    return 0;
  }

  private long consume() throws InterruptedException {
    long units = 0;
    while (queue.take() != END) {
      Cpu.burn(100);
      book();
      units++;
    }
    return units;
  }

  private void book() throws InterruptedException {
    if (isAfter) {
      write();
      return;
    }
    synchronized (journal) {
      write();
    }
  }

  private void write() throws InterruptedException {
    Thread.sleep(1);
  }
}
