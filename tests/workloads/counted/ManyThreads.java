package counted;

import static counted.Call.ACQUIRE;
import static counted.Call.NOTIFY_ALL;
import static counted.Call.RELEASE;

import java.util.concurrent.Semaphore;

/** Thousands of short threads in batches of 100. args[0] is the number of batches (default: 20). */
final class ManyThreads {
    private static final int BATCH_SIZE = 100;

    private static final Semaphore turnstile = new Semaphore(3);

    public static void main(String[] args) throws Exception {
        int batches = args.length == 0 ? 20 : Integer.parseInt(args[0]);
        Tally.runWorkload(() -> {
            for (int i = 0; i < batches; i++) {
                runBatch();
            }
        });
    }

    private static void runBatch() throws InterruptedException {
        Thread[] threads = new Thread[BATCH_SIZE];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = Tally.startThread("short", ManyThreads::visit);
        }
        for (Thread thread : threads) {
            Tally.joinThread(thread);
        }
    }

    private static void visit() throws InterruptedException {
        Tally.count(ACQUIRE, turnstile);
        turnstile.acquire();
        Object mine = new Object();
        synchronized (mine) {
            Tally.count(NOTIFY_ALL, mine);
            mine.notifyAll();
        }
        Tally.count(RELEASE, turnstile);
        turnstile.release();
    }
}
