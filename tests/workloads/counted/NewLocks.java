package counted;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/**
 * Makes many locks that are acquired once, by one thread. Then, of each kind, a lock that a thread has to wait
 * for. Prints for each of these "acquired SORT HASH N", where N are the acquisitions since that wait began. Does not
 * take the identity hash of a lock before the last acquisition.
 */
final class NewLocks {
    private static final int MANY = 100_000;
    private static final int FREE = 300; // acquisitions without a wait, before it and after it
    private static final long HOLD = 50_000_000; // ns that the owner keeps the lock while another thread waits

    public static void main(String[] args) throws Exception {
        Tally.runWorkload(() -> {
            for (int i = 0; i < MANY; i++) {
                use(new ReentrantLock());
                use(new ReentrantReadWriteLock());
            }
            waitFor(new ReentrantLock());
            waitFor(new ReentrantReadWriteLock());
            waitFor(new StampedLock());
            useInMonitor(new ReentrantLock());
        });
    }

    private static void use(Lock lock) {
        lock.lock();
        lock.unlock();
    }

    private static void use(ReentrantReadWriteLock both) {
        use(both.readLock());
        use(both.writeLock());
    }

    private static void use(StampedLock lock) {
        lock.unlockRead(lock.readLock());
        lock.unlockWrite(lock.writeLock());
    }

    private static void repeat(Runnable use) {
        for (int i = 0; i < FREE; i++) {
            use.run();
        }
    }

    private static void hold() {
        for (long end = System.nanoTime() + HOLD; System.nanoTime() < end; ) {
            Tally.yieldBriefly();
        }
    }

    private static void waitFor(ReentrantLock lock) throws Exception {
        Runnable use = () -> use(lock);
        repeat(use);
        lock.lock();
        Thread waiter = Tally.startThread("waiter", use::run);
        while (!lock.hasQueuedThread(waiter)) {
            Tally.yieldBriefly();
        }
        hold();
        lock.unlock();
        Tally.joinThread(waiter);
        repeat(use);
        addAcquired("lock", lock, 1 + FREE);
    }

    private static void waitFor(ReentrantReadWriteLock both) throws Exception {
        Runnable use = () -> use(both);
        repeat(use);
        both.writeLock().lock();
        Thread waiter = Tally.startThread("waiter", use::run);
        while (!both.hasQueuedThread(waiter)) {
            Tally.yieldBriefly();
        }
        hold();
        both.writeLock().unlock();
        Tally.joinThread(waiter);
        repeat(use);
        addAcquired("read", both, 1 + FREE);
        addAcquired("write", both, 1 + FREE);
    }

    private static void waitFor(StampedLock lock) throws Exception {
        Runnable use = () -> use(lock);
        repeat(use);
        long stamp = lock.writeLock();
        Thread waiter = Tally.startThread("waiter", use::run);
        Tally.awaitState(waiter, Thread.State.WAITING);
        hold();
        lock.unlockWrite(stamp);
        Tally.joinThread(waiter);
        repeat(use);
        addAcquired("stamped-read", lock, 1 + FREE);
        addAcquired("stamped-write", lock, 1 + FREE);
    }

    /** While the program holds the monitor of a lock object, its header does not tell whether it has a hash. */
    private static void useInMonitor(ReentrantLock lock) {
        for (int i = 0; i < FREE; i++) {
            synchronized (lock) {
                use(lock);
            }
        }
        addAcquired("lock", lock, FREE);
    }

    private static void addAcquired(String sort, Object lock, int times) {
        Tally.addLine("acquired " + sort + " " + Spelling.hash(lock) + " " + times);
    }
}
