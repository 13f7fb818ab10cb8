package counted;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Calls of tracked methods at every distance from the end of the stack. Two threads recurse until
 * the stack overflows, and call what is tracked on the way back up. Afterwards each of them makes
 * calls that it counts, on a semaphore of its own:
 *
 * <pre>
 * overflowed N          calls that threw a StackOverflowError, in all
 * after THREAD HASH N   this thread acquired and released this semaphore N times
 * </pre>
 */
final class Overflow {
    private static final int DIVES = 2;
    private static final int AFTER = 20;

    /** So many levels above the end calls are made: at each of the first, then at some. */
    private static final int EACH = 32;
    private static final int STEP = 256;
    private static final int MOST = 4096;

    private static int divers; // that came to their end, one after the other
    private static int overflowed; // calls that threw a StackOverflowError, in all

    public static void main(String[] args) throws Exception {
        if (Tally.isSkipped()) {
            return;
        }
        Thread[] threads = new Thread[2];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = Tally.newThread("diver-" + i, Overflow::dives);
        }
        for (Thread thread : threads) {
            thread.start();
            thread.join();
        }
        Tally.addLine("overflowed " + overflowed);
        Tally.printAccount();
        if (divers != threads.length || overflowed == 0) {
            System.exit(99);
        }
    }

    private static void dives() throws Exception {
        try {
            attempt();
        } catch (Throwable e) {
            e.printStackTrace();
            throw e;
        }
    }

    private static void attempt() throws Exception {
        Diver diver = new Diver();
        diver.use(); // loads and initializes every class
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
        divers++;
    }

    /** An overflow may leave any of these in a state that is not right: nobody waits for them. */
    private static final class Diver {
        final Semaphore semaphore = new Semaphore(1_000_000);
        final CountDownLatch latch = new CountDownLatch(1_000_000);
        final CountDownLatch open = new CountDownLatch(0);
        final Object monitor = new Object();
        int overflowed;

        /** Returns how many levels of it fitted above this one. */
        int dive() {
            int above;
            try {
                above = dive() + 1;
            } catch (StackOverflowError e) {
                above = 0;
            }
            if (above < EACH || (above < MOST && above % STEP == 0)) {
                use();
            }
            return above;
        }

        void use() {
            for (int i = 0; i < 6; i++) {
                try {
                    call(i);
                } catch (StackOverflowError e) {
                    overflowed++;
                } catch (InterruptedException | IllegalMonitorStateException e) {
                    // an unlock of what an overflow left unlocked
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
                    ReentrantLock lock = new ReentrantLock(); // none that is left half locked
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

        /** A method of the option track. */
        synchronized void tracked() {
            semaphore.release();
        }
    }
}
