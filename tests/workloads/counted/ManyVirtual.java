package counted;

import static counted.Call.ACQUIRE;
import static counted.Call.NOTIFY_ALL;
import static counted.Call.RELEASE;
import static counted.Call.SLEEP;
import static counted.Call.WAIT;

import java.util.concurrent.Semaphore;

/**
 * Thousands of concurrent virtual threads that sleep, wait, synchronize and acquire permits. From
 * JDK 24 on these calls do not pin a thread to its carrier.
 */
final class ManyVirtual {
    private static final int THREADS = 2000;

    private static final Semaphore turnstile = new Semaphore(3);
    private static final Object shared = new Object();
    private static int visits;

    public static void main(String[] args) throws Exception {
        if (!Virtual.areSupported()) {
            System.out.println("skipped this JDK has no virtual threads");
            return;
        }
        Tally.runWorkload(() -> {
            Thread[] threads = new Thread[THREADS];
            for (int i = 0; i < threads.length; i++) {
                threads[i] = Virtual.start("virtual-" + i, ManyVirtual::visit);
            }
            for (Thread thread : threads) {
                Tally.joinThread(thread);
            }
            if (visits != THREADS) {
                throw new AssertionError(visits + " visits");
            }
        });
    }

    private static void visit() throws InterruptedException {
        Tally.count(SLEEP, null);
        Thread.sleep(5);
        Tally.count(ACQUIRE, turnstile);
        turnstile.acquire();
        Tally.count(RELEASE, turnstile);
        turnstile.release();
        synchronized (shared) {
            visits++;
            Tally.count(NOTIFY_ALL, shared);
            shared.notifyAll();
        }
        Object mine = new Object();
        synchronized (mine) {
            Tally.count(WAIT, mine);
            mine.wait(5);
        }
    }
}
