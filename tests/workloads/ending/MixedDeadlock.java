package ending;

import counted.Tally;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A deadlock of three threads with a monitor, a ReentrantLock and the only permit of a Semaphore:
 * each thread owns what the next one waits for. The permit was used before, so it is seen that
 * who acquires it also releases it. Ends the JVM when all wait. With -Dvirtual=true the
 * threads are virtual.
 */
final class MixedDeadlock {
    private static final Object monitor = new Object();
    private static final ReentrantLock lock = new ReentrantLock();
    private static final Semaphore permit = new Semaphore(1);
    private static final AtomicInteger numHolders = new AtomicInteger();

    public static void main(String[] args) throws Exception {
        if (Tally.isSkipped()) {
            return;
        }
        Thread[] threads = {
            Tally.newThread("has-monitor", MixedDeadlock::monitorThenLock),
            Tally.newThread("has-lock", MixedDeadlock::lockThenPermit),
            Tally.newThread("has-permit", MixedDeadlock::permitThenMonitor),
        };
        for (Thread thread : threads) {
            thread.start();
        }
        Tally.awaitState(threads[0], Thread.State.WAITING);
        Tally.awaitState(threads[1], Thread.State.WAITING);
        Tally.awaitState(threads[2], Thread.State.BLOCKED);
        Tally.printAccount();
        System.exit(0);
    }

    /** Sleeps while it waits, so that virtual threads leave the carriers to those that have not started. */
    private static void awaitAllHold() throws InterruptedException {
        numHolders.incrementAndGet();
        while (numHolders.get() < 3) {
            Thread.sleep(1);
        }
    }

    private static void monitorThenLock() throws InterruptedException {
        synchronized (monitor) {
            awaitAllHold();
            lock.lock();
        }
    }

    private static void lockThenPermit() throws InterruptedException {
        lock.lock();
        awaitAllHold();
        permit.acquire();
    }

    private static void permitThenMonitor() throws InterruptedException {
        permit.acquire();
        permit.release();
        permit.acquire();
        awaitAllHold();
        synchronized (monitor) {
            throw new AssertionError("no deadlock");
        }
    }
}
