package usecases;

import counted.Tally;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** The thread "upgrader" holds the read side of a lock and waits for the write side, which it never gets. */
final class Upgrade {
    private static final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

    private static void read() {
        lock.readLock().lock();
        write();
    }

    private static void write() {
        lock.writeLock().lock();
        throw new AssertionError("a read lock became a write lock");
    }

    public static void main(String[] args) throws Exception {
        Thread upgrader = Facts.start("upgrader", Upgrade::read);
        Tally.awaitState(upgrader, Thread.State.WAITING);
        Facts.sleep(1500); // a shorter wait is not stuck
        System.exit(0);
    }
}
