package whatif.real;

import java.util.LinkedHashMap;
import java.util.Map;
import whatif.Cpu;
import whatif.Experiment;

/**
 * A cache of indexes fetches a missing one from another machine under its lock, as Kafka's RemoteIndexCache before
 * apache/kafka#13850. After: it fetches without the lock.
 */
public final class IndexCache extends Experiment {
  /** Keeps the indexes that were used last. */
  static final class Cache extends LinkedHashMap<Integer, Integer> {
    private static final long serialVersionUID = 1;

    Cache() {
      super(CAPACITY, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Integer, Integer> eldest) {
      return size() > CAPACITY;
    }
  }

  private static final int CAPACITY = 160, KEYS = 200;

  private final Cache cache = new Cache();

  public static void main(String[] args) throws Exception {
    new IndexCache().measure(args);
  }

  @Override
  public void setUp() {
    for (int i = 0; i < CAPACITY; i++) cache.put(i, i);
  }

  @Override
  public long work() throws Exception {
    int reads = count(900);
    for (int i = 1; i <= 4; i++) {
      long seed = i;
      start("fetcher-" + i, () -> read(reads, seed));
    }
    return join();
  }

  private long read(int reads, long seed) throws InterruptedException {
    for (int i = 0; i < reads; i++) {
      seed = seed * 6364136223846793005L + 1442695040888963407L;
      Cpu.burn(300);
      int key = (int) ((seed >>> 33) % KEYS);
      if ((isAfter ? getAfter(key) : getBefore(key)) != key) throw new IllegalStateException("wrong index");
    }
    return reads;
  }

  private int getBefore(int key) throws InterruptedException {
    synchronized (cache) {
      Integer index = cache.get(key);
      if (index == null) {
        index = fetch(key);
        cache.put(key, index);
      }
      return index;
    }
  }

  private int getAfter(int key) throws InterruptedException {
    synchronized (cache) {
      Integer index = cache.get(key);
      if (index != null) return index;
    }
    int index = fetch(key);
    synchronized (cache) {
      cache.put(key, index);
    }
    return index;
  }

  private static int fetch(int key) throws InterruptedException {
    Thread.sleep(4);
    return key;
  }
}
