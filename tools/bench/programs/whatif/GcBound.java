package whatif;

/**
 * Threads replace objects of a large cache under a lock; the collector of a small heap uses most of the time.
 * After: no lock, and little is gained.
 */
public final class GcBound extends Experiment {
  static final class Cache {}

  /** An entry of about 100 bytes that refers to a chain of others. */
  private static final class Entry {
    final byte[] text = new byte[64];
    final Entry next;

    Entry(Entry next) {
      this.next = next;
    }
  }

  private static final int THREADS = 3, SLOTS = 120_000, CHAIN = 4;

  private final Cache cache = new Cache();
  private final Entry[] slots = new Entry[SLOTS];

  public static void main(String[] args) throws Exception {
    new GcBound().measure(args);
  }

  @Override
  public void setUp() {
    for (int i = 0; i < SLOTS; i++) slots[i] = make();
  }

  @Override
  public long work() throws Exception {
    int rounds = count(4000);
    for (int i = 0; i < THREADS; i++) {
      int part = i; // each thread has slots of its own, so that both versions are correct
      start("worker-" + (i + 1), () -> replace(rounds, part));
    }
    return join();
  }

  private long replace(int rounds, int part) {
    int slot = part;
    for (int i = 0; i < rounds; i++) {
      for (int k = 0; k < 200; k++) make(); // garbage, without the lock
      slot = put(slot);
    }
    return rounds;
  }

  private int put(int slot) {
    if (isAfter) return fill(slot);
    synchronized (cache) {
      return fill(slot);
    }
  }

  /** Replaces 400 entries, and returns the next slot. */
  private int fill(int slot) {
    for (int k = 0; k < 400; k++) {
      slots[slot] = make();
      slot += THREADS;
      if (slot >= SLOTS) slot %= THREADS;
    }
    return slot;
  }

  private static Entry make() {
    Entry chain = null;
    for (int i = 0; i < CHAIN; i++) chain = new Entry(chain);
    return chain;
  }
}
