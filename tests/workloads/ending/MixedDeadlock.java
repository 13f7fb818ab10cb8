package ending;

import counted.Tally;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Three threads, each of which holds what the next one wants: a monitor, a ReentrantLock, a
 * Semaphore's only permit. Ends the JVM once they are stuck. With -Dvirtual=true they are virtual.
 */
final class MixedDeadlock {
    private static final Object monitor = new Object();
    private static final ReentrantLock lock = new ReentrantLock();
    private static final Semaphore permit = new Semaphore(1);
    private static final AtomicInteger holding = new AtomicInteger();

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

    /** Sleeps, so that virtual threads leave the carriers to those that have not begun. */
    private static void untilAllHold() throws InterruptedException {
        holding.incrementAndGet();
        while (holding.get() < 3) {
            Thread.sleep(1);
        }
    }

    private static void monitorThenLock() throws InterruptedException {
        synchronized (monitor) {
            untilAllHold();
            lock.lock();
        }
    }

    private static void lockThenPermit() throws InterruptedException {
        lock.lock();
        untilAllHold();
        permit.acquire();
    }

    private static void permitThenMonitor() throws InterruptedException {
        permit.acquire();
        untilAllHold();
        synchronized (monitor) {
            throw new AssertionError("no deadlock");
        }
    }
}
