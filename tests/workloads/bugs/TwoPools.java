package bugs;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Orders ask the pool of prices, and prices ask the pool of orders, for futures that their tasks complete. */
public class TwoPools {
  static final ExecutorService orders = makePool("order-");
  static final ExecutorService prices = makePool("price-");
  static final CountDownLatch all = new CountDownLatch(4);

  static ExecutorService makePool(String name) {
    AtomicInteger number = new AtomicInteger();
    return Executors.newFixedThreadPool(2, r -> new Thread(r, name + number.incrementAndGet()));
  }

  static void meet() {
    try {
      all.countDown();
      all.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static int order() {
    meet();
    return CompletableFuture.supplyAsync(() -> 1, prices).join();
  }

  static int price() {
    meet();
    return CompletableFuture.supplyAsync(() -> 2, orders).join();
  }

  public static void main(String[] args) throws Exception {
    for (int i = 0; i < 2; i++) {
      orders.execute(TwoPools::order);
      prices.execute(TwoPools::price);
    }
    while (true) TimeUnit.MILLISECONDS.sleep(200);
  }
}
