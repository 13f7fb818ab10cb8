package whatif;

import java.util.Random;

/**
 * Threads do mixed work under six locks. One of the locks has slow holds, which limit the program; the argument picks
 * it. Helpers that nobody waits for have long waits for another one, so most blocked time is often not where most is
 * gained.
 *
 * <p>Arguments: `before` or `after`, the scale, the lock with slow holds (0 to 5), and a seed. After: no hold is slow.
 */
public final class Injected extends Experiment {
  static final class Stock {}

  static final class Prices {}

  static final class Clients {}

  static final class Routes {}

  static final class Invoices {}

  static final class Audit {}

  private static final int WORKERS = 4, SLOW_PERCENT = 15, SLOW_MS = 8, DECOY_MS = 25;

  private final Stock stock = new Stock();
  private final Prices prices = new Prices();
  private final Clients clients = new Clients();
  private final Routes routes = new Routes();
  private final Invoices invoices = new Invoices();
  private final Audit audit = new Audit();

  private final int slow; // the lock with slow holds
  private final int decoy; // the lock of the helpers
  private final int helpers;
  private final long seed;
  private volatile boolean isDone;

  private Injected(int slow, long seed) {
    this.slow = slow;
    this.seed = seed;
    Random random = new Random(seed);
    this.decoy = (slow + 1 + random.nextInt(5)) % 6;
    this.helpers = 2 + random.nextInt(5);
  }

  public static void main(String[] args) throws Exception {
    int slow = args.length > 2 ? Integer.parseInt(args[2]) : 0;
    if (slow < 0 || slow > 5) throw new IllegalArgumentException("the lock " + slow + " is out of range (0 to 5)");
    new Injected(slow, args.length > 3 ? Long.parseLong(args[3]) : 1).measure(args);
  }

  @Override
  public long work() throws Exception {
    for (int i = 1; i <= helpers; i++) {
      Thread helper = new Thread(this::help, "helper-" + i);
      helper.setDaemon(true);
      helper.start();
    }
    int orders = count(1500);
    for (int i = 1; i <= WORKERS; i++) {
      Random random = new Random(seed * WORKERS + i);
      start("worker-" + i, () -> handle(orders, random));
    }
    long units = join();
    isDone = true;
    return units;
  }

  private long handle(int orders, Random random) throws InterruptedException {
    for (int i = 0; i < orders; i++) {
      Cpu.burn(200);
      int site = random.nextInt(6);
      if (site == decoy) site = slow; // the workers do not need the lock of the helpers
      visit(site, random.nextInt(100) < SLOW_PERCENT);
    }
    return orders;
  }

  private void visit(int site, boolean isUnlucky) throws InterruptedException {
    boolean isSlow = isUnlucky && site == slow && !isAfter;
    switch (site) {
      case 0:
        reserve(isSlow);
        break;
      case 1:
        price(isSlow);
        break;
      case 2:
        greet(isSlow);
        break;
      case 3:
        plan(isSlow);
        break;
      case 4:
        bill(isSlow);
        break;
      default:
        check(isSlow);
        break;
    }
  }

  private void reserve(boolean isSlow) throws InterruptedException {
    synchronized (stock) {
      hold(isSlow);
    }
  }

  private void price(boolean isSlow) throws InterruptedException {
    synchronized (prices) {
      hold(isSlow);
    }
  }

  private void greet(boolean isSlow) throws InterruptedException {
    synchronized (clients) {
      hold(isSlow);
    }
  }

  private void plan(boolean isSlow) throws InterruptedException {
    synchronized (routes) {
      hold(isSlow);
    }
  }

  private void bill(boolean isSlow) throws InterruptedException {
    synchronized (invoices) {
      hold(isSlow);
    }
  }

  private void check(boolean isSlow) throws InterruptedException {
    synchronized (audit) {
      hold(isSlow);
    }
  }

  private void hold(boolean isSlow) throws InterruptedException {
    Cpu.burn(100);
    if (isSlow) Thread.sleep(SLOW_MS);
  }

  /** Waits long for the lock of the helpers; it sleeps in the lock, which no worker needs. */
  private void help() {
    Object[] locks = {stock, prices, clients, routes, invoices, audit};
    try {
      while (!isDone) {
        synchronized (locks[decoy]) {
          Thread.sleep(DECOY_MS);
        }
        Thread.sleep(1); // lets another helper acquire the lock
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
