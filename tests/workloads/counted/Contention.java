package counted;

import static counted.Call.CONTEND;

/** Makes one thread block exactly once on a monitor that another thread owns. */
final class Contention {
    /** Nanoseconds that the owner keeps the monitor after the other thread blocks: {@code -Dhold=MS}. */
    private static final long HOLD = Integer.getInteger("hold", 0) * 1_000_000L;

    private final Object lock;
    private volatile boolean isAboutToEnter;

    /** Starts a counted thread: platform or virtual. */
    interface Starter {
        Thread start(String name, Body body) throws Exception;
    }

    private Contention(Object lock) {
        this.lock = lock;
    }

    static void blockOnce(Object lock) throws Exception {
        blockOnce(lock, () -> enter(lock), Tally::startThread);
    }

    /**
     * Starts a thread that runs {@code enter}. The caller owns {@code lock} until {@code enter} blocks on it.
     * Before that, {@code enter} must not block on another monitor. So it makes no lambda: the JDK has locks
     * for that, such as one of a ReferenceQueue.
     */
    static void blockOnce(Object lock, Body enter, Starter starter) throws Exception {
        Contention c = new Contention(lock);
        Thread contender;
        synchronized (lock) {
            contender = starter.start("contender", () -> c.contend(enter));
            c.awaitBlocked(contender);
        }
        Tally.joinThread(contender);
    }

    private void contend(Body enter) throws Exception {
        Tally.count(CONTEND, lock);
        isAboutToEnter = true; // now the thread can block on `lock` only
        enter.run();
    }

    private void awaitBlocked(Thread contender) {
        while (!isAboutToEnter || contender.getState() != Thread.State.BLOCKED) {
            Tally.yieldBriefly();
        }
        for (long end = System.nanoTime() + HOLD; System.nanoTime() < end; ) {
            Tally.yieldBriefly();
        }
    }

    static void enter(Object lock) {
        synchronized (lock) {
            Thread.yield();
        }
    }
}
