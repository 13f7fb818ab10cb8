package counted;

import static counted.Call.LOCK;
import static counted.Call.READ_LOCK;
import static counted.Call.READ_UNLOCK;
import static counted.Call.SLEEP;
import static counted.Call.UNLOCK;
import static counted.Call.WRITE_LOCK;
import static counted.Call.WRITE_UNLOCK;

import java.lang.management.ManagementFactory;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/** Phases whose events depend on options that change while a recording runs. */
final class Changes {
    private static final int MS = 1_000_000; // ns

    private Changes() {}

    /** Acquires locks that no other thread wants. */
    static void locks() {
        ReentrantLock lock = new ReentrantLock();
        ReentrantReadWriteLock both = new ReentrantReadWriteLock();
        StampedLock stamped = new StampedLock();
        for (int i = 0; i < 300; i++) {
            Tally.count(LOCK, lock);
            lock.lock();
            Tally.count(UNLOCK, lock);
            lock.unlock();
            Tally.count(READ_LOCK, both);
            both.readLock().lock();
            Tally.count(READ_UNLOCK, both);
            both.readLock().unlock();
            Tally.count(WRITE_LOCK, both);
            both.writeLock().lock();
            Tally.count(WRITE_UNLOCK, both);
            both.writeLock().unlock();
            Tally.count(WRITE_LOCK, stamped);
            long stamp = stamped.writeLock();
            Tally.count(WRITE_UNLOCK, stamped);
            stamped.unlockWrite(stamp);
        }
    }

    /**
     * Sleeps 20 times for 1 ms, and 3 times for 60 ms. Adds the line "slow N" to the account: on a busy
     * machine, N of the short naps may have taken 30 ms or longer.
     */
    static void naps() throws InterruptedException {
        int slow = 0;
        for (int i = 0; i < 23; i++) {
            Tally.count(SLEEP, null);
            long begin = System.nanoTime();
            Thread.sleep(i < 20 ? 1 : 60);
            slow += i < 20 && System.nanoTime() - begin >= 30 * MS ? 1 : 0;
        }
        Tally.addLine("slow " + slow);
    }

    /** Uses a CPU for 400 ms. Adds the line "cpu THREAD NS" to the account. */
    static void burn() {
        long used = 0;
        while (used < 400 * MS) {
            used = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        }
        Tally.addLine("cpu " + Spelling.hash(Thread.currentThread()) + " " + used);
    }
}
