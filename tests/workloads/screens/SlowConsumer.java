package screens;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** A producer that waits in put, because the only consumer computes. */
public final class SlowConsumer {
  private static volatile long sink;

  public static void main(String[] args) throws Exception {
    BlockingQueue<Integer> orders = new ArrayBlockingQueue<>(2);
    Thread consumer = new Thread(() -> consume(orders), "consumer");
    consumer.start();
    for (int i = 0; i < 60; i++) orders.put(i);
    orders.put(-1);
    consumer.join();
  }

  private static void consume(BlockingQueue<Integer> orders) {
    try {
      while (orders.take() >= 0) render();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void render() {
    for (long end = System.nanoTime() + 50_000_000L; System.nanoTime() < end; ) {
      for (int i = 0; i < 10_000; i++) sink += i * 31 ^ sink;
    }
  }
}
