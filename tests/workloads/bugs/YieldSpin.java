package bugs;

import java.util.concurrent.atomic.AtomicLong;

/** Four consumers of ring buffers wait for events in loops with Thread.yield; there are hardly any events. */
public class YieldSpin {
  static class Ring {
    final AtomicLong published = new AtomicLong(-1);

    long await(long sequence) {
      int tries = 100;
      while (published.get() < sequence) {
        if (tries > 0) tries--;
        else Thread.yield();
      }
      return published.get();
    }
  }

  static double price(int steps) {
    double x = 1;
    for (int i = 0; i < steps; i++) x += Math.sin(x) / (i + 1);
    return x;
  }

  public static void main(String[] args) throws Exception {
    Ring[] rings = new Ring[4];
    for (int i = 0; i < 4; i++) {
      Ring ring = rings[i] = new Ring();
      Thread t = new Thread(() -> {
        for (long next = 0; ; next++) ring.await(next);
      }, "ring-consumer-" + (i + 1));
      t.setDaemon(true);
      t.start();
    }
    long end = System.nanoTime() + 6_000_000_000L;
    int batches = 0;
    double sum = 0;
    while (System.nanoTime() < end) {
      sum += price(100_000);
      rings[batches++ % 4].published.incrementAndGet();
    }
    System.out.println("batches " + batches + " " + (sum > 0));
    System.exit(0);
  }
}
