package counted;

import static counted.Call.CONTEND;

/** Makes one thread block on a lock that another one holds: surely, and exactly once. */
final class Contention {
    /** How long the lock is kept when the other thread blocks already: {@code -Dhold=}, ms. */
    private static final long HOLD = Integer.getInteger("hold", 0) * 1_000_000L;

    private final Object lock;
    private volatile boolean about;

    /** Starts a counted thread: platform or virtual. */
    interface Starter {
        Thread start(String name, Body body) throws Exception;
    }

    private Contention(Object lock) {
        this.lock = lock;
    }

    static void round(Object lock) throws Exception {
        round(lock, () -> enter(lock), Tally::start);
    }

    /** The caller holds {@code lock} until {@code enter}, in a thread of its own, blocks on it. */
    static void round(Object lock, Body enter, Starter starter) throws Exception {
        Contention c = new Contention(lock);
        Thread contender;
        synchronized (lock) {
            contender = starter.start("contender", () -> c.contend(enter));
            c.untilBlocked(contender);
        }
        Tally.join(contender);
    }

    private void contend(Body enter) throws Exception {
        Tally.count(CONTEND, lock);
        about = true; // from here on the thread can block on nothing else
        enter.run();
    }

    private void untilBlocked(Thread contender) {
        while (!about || contender.getState() != Thread.State.BLOCKED) {
            Tally.pause();
        }
        for (long end = System.nanoTime() + HOLD; System.nanoTime() < end; ) {
            Tally.pause();
        }
    }

    static void enter(Object lock) {
        synchronized (lock) {
            Thread.yield();
        }
    }
}
