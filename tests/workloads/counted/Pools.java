package counted;

import static counted.Call.REMOVE;
import static counted.Call.REMOVE_FAILS;
import static counted.Call.START;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that a pool starts; newer JDKs use another method than start() for that. */
final class Pools {
    private static final int THREADS = 3;
    private static final int TASKS = 30;

    private final Thread[] threads = new Thread[THREADS];
    private final AtomicInteger made = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();

    public static void main(String[] args) throws Exception {
        Tally.allowJdkEvents("lock"); // locks of the pool and of its queue
        Tally.allowJdkEvents("condition");
        Tally.allowJdkEvents("park");
        Tally.runWorkload(new Pools()::use);
    }

    private void use() throws InterruptedException {
        ExecutorService pool = new ThreadPoolExecutor(
                THREADS, THREADS, 0, TimeUnit.SECONDS, new Tasks(), this::make);
        for (int i = 0; i < TASKS; i++) {
            pool.execute(done::incrementAndGet);
        }
        pool.shutdown();
        for (Thread thread : threads) {
            Tally.joinThread(thread);
        }
        Tally.check(done.get() == TASKS);
    }

    /** Called in the thread that adds a task, which starts the new thread right after. */
    private Thread make(Runnable tasks) {
        int i = made.getAndIncrement();
        threads[i] = Tally.newThread("pool-" + i, tasks::run);
        Tally.count(START, threads[i]);
        return threads[i];
    }

    /** Counts the calls of take, whose number varies. */
    @SuppressWarnings("serial")
    private static final class Tasks extends LinkedBlockingQueue<Runnable> {
        @Override
        public Runnable take() throws InterruptedException {
            Call outcome = REMOVE_FAILS;
            Tally.countEntry(REMOVE, this);
            try {
                Runnable task = super.take();
                outcome = REMOVE;
                return task;
            } finally {
                Tally.countExit(outcome, this);
            }
        }
    }
}
