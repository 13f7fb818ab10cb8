package counted;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * A helper thread that is not counted: the account does not contain its events. Always a platform
 * thread. It has two uses: It wakes or interrupts a counted thread that waits. It makes calls that
 * are no events, but in which the JDK causes events on objects that a program cannot access.
 */
final class Aside {
    private static final Queue<Job> jobs = new ConcurrentLinkedQueue<>();
    private static final Thread thread = new Thread(Aside::runJobs, "aside");

    private static final class Job {
        final Thread waiter;
        final Body body;
        volatile boolean isDone;
        Throwable failure;

        Job(Thread waiter, Body body) {
            this.waiter = waiter;
            this.body = body;
        }

        void run() {
            while (waiter != null && !isWaiting(waiter)) {
                LockSupport.parkNanos(100_000);
            }
            try {
                body.run();
            } catch (Throwable e) {
                failure = e;
            }
            isDone = true;
        }
    }

    private Aside() {}

    /** Starts the helper thread. Call it once, in main. */
    static void startThread() {
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns the helper thread, which owns the locks that {@link #runAndWait} acquires. */
    static Thread getThread() {
        return thread;
    }

    /** Runs {@code body} and waits for its end. */
    static void runAndWait(Body body) throws Exception {
        Job job = new Job(null, body);
        jobs.add(job);
        while (!job.isDone) {
            Tally.yieldBriefly();
        }
        if (job.failure != null) {
            throw new AssertionError("aside", job.failure);
        }
    }

    /** Runs {@code body} as soon as the calling thread waits. Returns at once. */
    static void runWhenWaiting(Body body) {
        runWhenThreadWaits(Thread.currentThread(), body);
    }

    /** Runs {@code body} as soon as {@code other} waits. Returns at once. */
    static void runWhenThreadWaits(Thread other, Body body) {
        jobs.add(new Job(other, () -> Tally.keepFailure(body)));
    }

    /** Interrupts the calling thread as soon as it waits. */
    static void interruptWhenWaiting() {
        runWhenWaiting(Thread.currentThread()::interrupt);
    }

    private static boolean isWaiting(Thread other) {
        Thread.State state = other.getState();
        return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
    }

    private static void runJobs() {
        while (true) {
            Job job = jobs.poll();
            if (job == null) {
                LockSupport.parkNanos(100_000);
            } else {
                job.run();
            }
        }
    }
}
