package fleet;

/**
 * A small service for tests of many recordings: {@code Shop MILLISECONDS HOLD [deadlock]}.
 *
 * <p>Three clerks book in a ledger, which each of them holds for HOLD milliseconds: a version with a larger HOLD is
 * worse. Two packers share a shelf in the same way in all versions. With {@code deadlock} two more threads block each
 * other for good.
 */
public final class Shop {
    /** A lock whose class names it. */
    private static final class Ledger {
        private long sum;

        synchronized void book(long value, long holdMillis) throws InterruptedException {
            sum += value;
            Thread.sleep(holdMillis);
        }
    }

    private final Ledger ledger = new Ledger();
    private final Object shelf = new Object();
    private final long end;
    private final long holdMillis;

    private Shop(long millis, long holdMillis) {
        end = System.nanoTime() + millis * 1_000_000;
        this.holdMillis = holdMillis;
    }

    private boolean isOpen() {
        return System.nanoTime() < end;
    }

    private void serve() throws InterruptedException {
        long value = 0;
        while (isOpen()) {
            value = computePrice(value);
            ledger.book(value, holdMillis);
            Thread.sleep(20);
        }
    }

    private static long computePrice(long value) {
        long price = value;
        for (int i = 0; i < 300_000; i++) {
            price = price * 31 + (price >>> 7) + i;
        }
        return price;
    }

    private void pack() throws InterruptedException {
        while (isOpen()) {
            synchronized (shelf) {
                Thread.sleep(2);
            }
            Thread.sleep(1);
        }
    }

    /** What a thread runs. */
    private interface Work {
        void run() throws InterruptedException;
    }

    private static Thread start(String name, Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void lockBoth(Object first, Object second) throws InterruptedException {
        synchronized (first) {
            Thread.sleep(20);
            synchronized (second) {
                Thread.sleep(1);
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Shop shop = new Shop(Long.parseLong(args[0]), Long.parseLong(args[1]));
        if (args.length > 2) {
            Object left = new Object();
            Object right = new Object();
            start("left", () -> lockBoth(left, right));
            start("right", () -> lockBoth(right, left));
        }
        Thread[] threads = {start("clerk-1", shop::serve), start("clerk-2", shop::serve),
                            start("clerk-3", shop::serve), start("packer-1", shop::pack),
                            start("packer-2", shop::pack)};
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
