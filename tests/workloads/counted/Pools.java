package counted;

import static counted.Call.START;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that a library starts, which newer JDKs do through another method than start(). */
final class Pools {
    private static final int THREADS = 3;
    private static final int TASKS = 30;

    private final Thread[] threads = new Thread[THREADS];
    private final AtomicInteger made = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();

    public static void main(String[] args) throws Exception {
        Tally.run(new Pools()::use);
    }

    private void use() throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(THREADS, this::make);
        for (int i = 0; i < TASKS; i++) {
            pool.execute(done::incrementAndGet);
        }
        pool.shutdown();
        for (Thread thread : threads) {
            Tally.join(thread);
        }
        if (done.get() != TASKS) {
            throw new AssertionError(done);
        }
    }

    /** Called by the thread that adds a task; the pool starts the new thread at once, in it. */
    private Thread make(Runnable tasks) {
        int i = made.getAndIncrement();
        threads[i] = Tally.thread("pool-" + i, tasks::run);
        Tally.count(START, threads[i]);
        return threads[i];
    }
}
