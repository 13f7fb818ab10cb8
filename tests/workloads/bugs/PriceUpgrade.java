package bugs;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A cache that loads what it misses while it still holds the read lock. */
public class PriceUpgrade {
  static class Prices {
    final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    final Map<Integer, Integer> known = new HashMap<>();

    int get(int article) {
      lock.readLock().lock();
      try {
        Integer price = known.get(article);
        return price != null ? price : load(article);
      } finally {
        lock.readLock().unlock();
      }
    }

    int load(int article) {
      lock.writeLock().lock();
      try {
        return known.computeIfAbsent(article, key -> 7 * key);
      } finally {
        lock.writeLock().unlock();
      }
    }
  }

  static final Prices prices = new Prices();

  static void sell(int first) {
    try {
      for (int article = first; ; article = (article + 1) % 100) {
        prices.get(article);
        Thread.sleep(2);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public static void main(String[] args) throws Exception {
    for (int article = 0; article < 100; article++) prices.load(article);
    for (int i = 1; i <= 3; i++) {
      int first = 10 * i;
      new Thread(() -> sell(first), "till-" + i).start();
    }
    Thread.sleep(500);
    new Thread(() -> prices.get(1000), "import").start(); // an article that nobody knows
    while (true) Thread.sleep(250);
  }
}
