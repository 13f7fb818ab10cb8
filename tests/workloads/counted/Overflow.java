package counted;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Calls of hooked methods with every amount of free stack. Two threads recurse until the stack
 * overflows, and call hooked methods while they return. Afterwards each thread makes counted calls
 * on its own semaphore:
 *
 * <pre>
 * overflowed N          total number of calls that threw a StackOverflowError
 * after THREAD HASH N   this thread acquired and released this semaphore N times
 * </pre>
 */
final class Overflow {
    private static final int DIVES = 2;
    private static final int AFTER = 20;

    /** Each of the EACH innermost levels makes calls, then every STEP-th up to level MOST. */
    private static final int EACH = 32;
    private static final int STEP = 256;
    private static final int MOST = 4096;

    private static int finished; // threads
    private static int overflowed; // calls that threw a StackOverflowError

    public static void main(String[] args) throws Exception {
        if (Tally.isSkipped()) {
            return;
        }
        Thread[] threads = new Thread[2];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = Tally.newThread("diver-" + i, Overflow::runOrPrint);
        }
        for (Thread thread : threads) {
            thread.start();
            thread.join();
        }
        Tally.addLine("overflowed " + overflowed);
        Tally.printAccount();
        if (finished != threads.length || overflowed == 0) {
            System.exit(99);
        }
    }

    private static void runOrPrint() throws Exception {
        try {
            runDiver();
        } catch (Throwable e) {
            e.printStackTrace();
            throw e;
        }
    }

    private static void runDiver() throws Exception {
        Diver diver = new Diver();
        diver.makeCalls(); // loads and initializes every class
        diver.overflowed = 0;
        for (int i = 0; i < DIVES; i++) {
            diver.dive();
        }
        Semaphore s = new Semaphore(1);
        for (int i = 0; i < AFTER; i++) {
            s.acquire();
            s.release();
        }
        String self = Spelling.hash(Thread.currentThread());
        Tally.addLine("after " + self + " " + Spelling.hash(s) + " " + AFTER);
        overflowed += diver.overflowed;
        finished++;
    }

    /** An overflow may corrupt the state of these objects, so no thread waits for them. */
    private static final class Diver {
        final Semaphore semaphore = new Semaphore(1_000_000);
        final CountDownLatch latch = new CountDownLatch(1_000_000);
        final CountDownLatch open = new CountDownLatch(0);
        final Object monitor = new Object();
        int overflowed;

        /** Returns the number of levels of recursion that fitted on the stack after this one. */
        int dive() {
            int deeper;
            try {
                deeper = dive() + 1;
            } catch (StackOverflowError e) {
                deeper = 0;
            }
            if (deeper < EACH || (deeper < MOST && deeper % STEP == 0)) {
                makeCalls();
            }
            return deeper;
        }

        void makeCalls() {
            for (int i = 0; i < 6; i++) {
                try {
                    call(i);
                } catch (StackOverflowError e) {
                    overflowed++;
                } catch (InterruptedException | IllegalMonitorStateException e) {
                    // an overflow prevented the lock, so unlock fails
                }
            }
        }

        void call(int which) throws InterruptedException {
            switch (which) {
                case 0:
                    semaphore.acquire();
                    break;
                case 1:
                    semaphore.release();
                    break;
                case 2:
                    latch.countDown();
                    open.await();
                    break;
                case 3:
                    ReentrantLock lock = new ReentrantLock(); // not one that an overflow left locked
                    lock.lockInterruptibly();
                    lock.unlock();
                    break;
                case 4:
                    synchronized (monitor) {
                        monitor.notify();
                    }
                    break;
                default:
                    tracked();
            }
        }

        /** A method that the option track selects. */
        synchronized void tracked() {
            semaphore.release();
        }
    }
}
