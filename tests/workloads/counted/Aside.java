package counted;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that is not the workload's own: what is done there is in no account. It is the other
 * side of what an own thread waits for, and it makes the calls that are no events themselves but in
 * which the JDK makes some, on objects that a program does not get hold of. Platform, always.
 */
final class Aside {
    private static final Queue<Job> jobs = new ConcurrentLinkedQueue<>();
    private static final Thread thread = new Thread(Aside::work, "aside");

    private static final class Job {
        final Thread when;
        final Body body;
        volatile boolean done;
        Throwable failure;

        Job(Thread when, Body body) {
            this.when = when;
            this.body = body;
        }

        void run() {
            while (when != null && !waits(when)) {
                LockSupport.parkNanos(100_000);
            }
            try {
                body.run();
            } catch (Throwable e) {
                failure = e;
            }
            done = true;
        }
    }

    private Aside() {}

    /** To be called once, in main, which is no own thread either. */
    static void ready() {
        thread.setDaemon(true);
        thread.start();
    }

    /** For {@link Tally#lock}: it holds what {@link #run} has locked. */
    static Thread thread() {
        return thread;
    }

    /** Runs {@code body} to its end. */
    static void run(Body body) throws Exception {
        Job job = new Job(null, body);
        jobs.add(job);
        while (!job.done) {
            Tally.pause();
        }
        if (job.failure != null) {
            throw new AssertionError("aside", job.failure);
        }
    }

    /** Runs {@code body} as soon as the calling thread waits, which it is about to do. */
    static void whenWaiting(Body body) {
        whenWaits(Thread.currentThread(), body);
    }

    /** Runs {@code body} as soon as {@code other} waits. */
    static void whenWaits(Thread other, Body body) {
        jobs.add(new Job(other, () -> Tally.attempt(body)));
    }

    /** Interrupts the calling thread as soon as it waits. */
    static void interruptWhenWaiting() {
        whenWaiting(Thread.currentThread()::interrupt);
    }

    private static boolean waits(Thread other) {
        Thread.State state = other.getState();
        return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
    }

    private static void work() {
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
