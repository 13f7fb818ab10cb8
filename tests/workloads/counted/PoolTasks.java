package counted;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tasks of thread pools. Prints its own account:
 *
 * <pre>
 * queued THREAD TASK   a thread gave a task to a pool, in the order of each thread
 * ran THREAD TASK POOL a thread of a pool ran it, in the order of each thread
 * periodic TASK        this task queues itself after each run
 * </pre>
 */
final class PoolTasks {
    private static final int TASKS = 40;
    private static final Queue<String> lines = new ConcurrentLinkedQueue<>();

    public static void main(String[] args) throws Exception {
        Thread[] users = new Thread[3];
        ThreadPoolExecutor fixed = new Pool(3, 3, new LinkedBlockingQueue<>());
        ThreadPoolExecutor cached = new Pool(0, 100, new SynchronousQueue<>());
        ScheduledThreadPoolExecutor scheduled = new Scheduled();
        for (int i = 0; i < users.length; i++) {
            users[i] = new Thread(() -> use(fixed, cached, scheduled), "user-" + i);
            users[i].start();
        }
        for (Thread user : users) {
            user.join();
        }
        runPeriodically(scheduled);
        for (ThreadPoolExecutor pool : new ThreadPoolExecutor[] {fixed, cached, scheduled}) {
            pool.shutdown();
            Tally.check(pool.awaitTermination(1, TimeUnit.MINUTES));
        }
        refuse(fixed);
        lines.forEach(System.out::println);
        System.out.println("end");
    }

    private static void use(ThreadPoolExecutor fixed, ThreadPoolExecutor cached,
            ScheduledThreadPoolExecutor scheduled) {
        List<Future<?>> futures = new ArrayList<>();
        for (int i = 0; i < TASKS; i++) {
            execute(fixed, new Task());
            execute(cached, new Task());
            futures.add(queued(fixed.submit(new Task())));
            futures.add(queued(cached.submit((Callable<String>) () -> "result")));
            futures.add(queued(scheduled.submit(new Task())));
            futures.add(queued(scheduled.schedule(new Task(), 100, TimeUnit.MICROSECONDS)));
        }
        for (Future<?> future : futures) {
            try {
                future.get();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    private static void runPeriodically(ScheduledThreadPoolExecutor pool) throws Exception {
        AtomicInteger left = new AtomicInteger(5);
        ScheduledFuture<?> future = pool.scheduleWithFixedDelay(() -> {
            if (left.decrementAndGet() <= 0) {
                throw new IllegalStateException("ends the repetition");
            }
        }, 0, 1, TimeUnit.MILLISECONDS);
        queued(future);
        lines.add("periodic " + Spelling.hash(future));
        try {
            future.get();
        } catch (java.util.concurrent.ExecutionException e) {
            return;
        }
        throw new AssertionError();
    }

    /** A pool that has been shut down refuses a task. */
    private static void refuse(ThreadPoolExecutor pool) {
        try {
            execute(pool, new Task());
        } catch (RejectedExecutionException e) {
            return;
        }
        throw new AssertionError();
    }

    private static void execute(ThreadPoolExecutor pool, Runnable task) {
        queued(task);
        pool.execute(task);
    }

    private static <T> T queued(T task) {
        lines.add("queued " + Spelling.hash(Thread.currentThread()) + " " + Spelling.hash(task));
        return task;
    }

    private static void ran(Thread thread, Runnable task, ThreadPoolExecutor pool) {
        lines.add("ran " + Spelling.hash(thread) + " " + Spelling.hash(task) + " " + Spelling.hash(pool));
    }

    private static final class Task implements Runnable {
        private volatile double result;

        @Override
        public void run() {
            result = Math.sqrt(System.nanoTime());
        }
    }

    private static final class Pool extends ThreadPoolExecutor {
        Pool(int core, int max, BlockingQueue<Runnable> queue) {
            super(core, max, 1, TimeUnit.MINUTES, queue);
        }

        @Override
        protected void beforeExecute(Thread thread, Runnable task) {
            ran(thread, task, this);
        }
    }

    private static final class Scheduled extends ScheduledThreadPoolExecutor {
        Scheduled() {
            super(2);
        }

        @Override
        protected void beforeExecute(Thread thread, Runnable task) {
            ran(thread, task, this);
        }
    }
}
