package counted;

import static counted.Call.EXECUTOR_AWAIT;
import static counted.Call.EXECUTOR_AWAIT_FAILS;
import static counted.Call.FUTURE_AWAIT;
import static counted.Call.FUTURE_AWAIT_FAILS;
import static counted.Call.REMOVE;
import static counted.Call.REMOVE_FAILS;
import static counted.Call.SUBMIT;
import static counted.Call.TASK_JOIN;
import static counted.Call.TASK_JOIN_FAILS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;

import java.lang.reflect.Method;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * All forms of ExecutorService.submit, awaitTermination and close. The threads of the pools are not
 * counted. Inside submit a pool may start a thread; that start is no event.
 */
final class Executors {
    private static final Method CLOSE = Newer.find(ExecutorService.class, "close");
    private static final Method OF_VIRTUAL = Newer.find(
            java.util.concurrent.Executors.class, "newVirtualThreadPerTaskExecutor");

    private interface Maker {
        ExecutorService make() throws Exception;
    }

    public static void main(String[] args) throws Exception {
        Aside.startThread();
        boolean virtual = Virtual.areSupported();
        Tally.runWorkload(() -> {
            all(Executors::pool);
            all(() -> new ScheduledThreadPoolExecutor(1));
            all(() -> new ForkJoinPool(1));
            all(java.util.concurrent.Executors::newSingleThreadExecutor); // wraps a pool
            all(java.util.concurrent.Executors::newSingleThreadScheduledExecutor);
            if (virtual) {
                Tally.allowJdkEvents("thread"); // submit starts a thread, whose start is recorded
                all(() -> (ExecutorService) Newer.call(OF_VIRTUAL, null));
            }
            tasks(new ForkJoinPool(1));
            common();
            calledInside();
            queueOfTheScheduled(new ScheduledThreadPoolExecutor(0));
        });
    }

    private static ThreadPoolExecutor pool() {
        return new ThreadPoolExecutor(1, 1, 1, MINUTES, new LinkedBlockingQueue<>());
    }

    private static void all(Maker maker) throws Exception {
        ExecutorService e = maker.make();
        Aside.runAndWait(() -> e.submit(() -> {}).get()); // starts the pool's thread
        submits(e);
        failures(e);
        ends(e);
        if (CLOSE != null) {
            closes(maker);
        }
    }

    private static void submits(ExecutorService e) throws Exception {
        for (int i = 0; i < 5; i++) {
            Tally.count(SUBMIT, e);
            Future<?> ran = e.submit(Inside::makeCalls);
            Tally.check(get(ran) == null);
            Tally.count(SUBMIT, e);
            Future<String> given = e.submit(Inside::makeCalls, "result");
            Tally.check(get(given).equals("result"));
            Tally.count(SUBMIT, e);
            Future<String> called = e.submit(() -> "result");
            Tally.check(get(called).equals("result"));
        }
    }

    /** Gets the result. The JDK chooses the class of the future: a FutureTask or a ForkJoinTask. */
    private static <T> T get(Future<T> f) throws Exception {
        Tally.count(f instanceof ForkJoinTask ? TASK_JOIN : FUTURE_AWAIT, f);
        return f.get();
    }

    private static void failures(ExecutorService e) {
        Class<NullPointerException> npe = NullPointerException.class;
        Tally.expectThrow(npe, SUBMIT, e, () -> e.submit((Runnable) null));
        Tally.expectThrow(npe, SUBMIT, e, () -> e.submit(null, "result"));
        Tally.expectThrow(npe, SUBMIT, e, () -> e.submit((Callable<String>) null));
        Tally.count(SUBMIT, e);
        Future<String> f = e.submit((Callable<String>) () -> {
            throw new IllegalStateException();
        });
        Call fails = f instanceof ForkJoinTask ? TASK_JOIN_FAILS : FUTURE_AWAIT_FAILS;
        Tally.expectThrow(ExecutionException.class, fails, f, f::get);
    }

    private static void ends(ExecutorService e) throws Exception {
        for (long time : new long[] {-1, 0, 1}) {
            Tally.count(EXECUTOR_AWAIT_FAILS, e);
            Tally.check(!e.awaitTermination(time, MILLISECONDS));
        }
        Body await = () -> e.awaitTermination(1, MINUTES);
        Thread.currentThread().interrupt();
        Tally.expectThrow(InterruptedException.class, EXECUTOR_AWAIT_FAILS, e, await);
        Aside.interruptWhenWaiting();
        Tally.expectThrow(InterruptedException.class, EXECUTOR_AWAIT_FAILS, e, await);
        Tally.expectThrow(NullPointerException.class, EXECUTOR_AWAIT_FAILS, e,
                () -> e.awaitTermination(1, null));
        Aside.runWhenWaiting(e::shutdown);
        Tally.count(EXECUTOR_AWAIT, e);
        Tally.check(e.awaitTermination(1, MINUTES));
        Tally.count(EXECUTOR_AWAIT, e);
        Tally.check(e.awaitTermination(-1, MINUTES));
        Tally.expectThrow(RejectedExecutionException.class, SUBMIT, e, () -> e.submit(() -> {}));
    }

    private static void closes(Maker maker) throws Exception {
        ExecutorService idle = maker.make();
        close(idle);
        close(idle);
        ExecutorService busy = maker.make();
        Aside.runAndWait(() -> busy.submit(sleeping(3)));
        close(busy);
        ExecutorService stuck = maker.make();
        Thread me = Thread.currentThread();
        Aside.runAndWait(() -> stuck.submit(sleeping(60_000)));
        Aside.runWhenWaiting(me::interrupt); // then close interrupts the task
        close(stuck);
        Tally.check(Thread.interrupted());
    }

    private static Callable<Void> sleeping(long millis) {
        return () -> {
            Thread.sleep(millis);
            return null;
        };
    }

    private static void close(ExecutorService e) throws Exception {
        Tally.count(EXECUTOR_AWAIT, e);
        Newer.call(CLOSE, e);
        Tally.check(e.isShutdown());
    }

    /** The form of submit that only ForkJoinPool has. */
    private static void tasks(ForkJoinPool pool) throws Exception {
        for (int i = 0; i < 5; i++) {
            ForkJoinTask<String> task = ForkJoinTask.adapt(() -> "result");
            Tally.count(SUBMIT, pool);
            Tally.check(pool.submit(task) == task);
            Tally.count(TASK_JOIN, task);
            Tally.check(task.get().equals("result"));
        }
        Tally.expectThrow(NullPointerException.class, SUBMIT, pool,
                () -> pool.submit((ForkJoinTask<String>) null));
        Aside.runAndWait(pool::shutdown);
    }

    /** The common pool never terminates. */
    private static void common() throws InterruptedException {
        ForkJoinPool pool = ForkJoinPool.commonPool();
        Tally.count(EXECUTOR_AWAIT_FAILS, pool);
        Tally.check(!pool.awaitTermination(1, MILLISECONDS));
    }

    /** Code of the program that runs inside submit. */
    private static void calledInside() throws Exception {
        ExecutorService direct = new Direct();
        Tally.count(SUBMIT, direct);
        get(direct.submit(Inside::makeCalls));
        Tally.count(SUBMIT, direct);
        get(direct.submit(() -> {
            Tally.count(SUBMIT, direct);
            return get(direct.submit(Inside::makeCalls));
        }));

        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                0, 1, 1, MINUTES, new SynchronousQueue<>(), task -> {
                    Inside.makeCalls();
                    return new Thread(task);
                });
        Task task = new Task();
        Tally.count(SUBMIT, pool); // makes a thread
        pool.submit(task);
        pool.setRejectedExecutionHandler(new ThreadPoolExecutor.CallerRunsPolicy());
        Tally.count(SUBMIT, pool); // runs in the caller, as that thread is busy
        Future<?> f = pool.submit(Inside::makeCalls);
        Tally.check(f.isDone());
        pool.setRejectedExecutionHandler((rejected, by) -> Inside.makeCalls());
        Tally.count(SUBMIT, pool);
        Tally.check(!pool.submit(() -> {}).isDone());
        task.isOver = true;
        Aside.runAndWait(pool::shutdown);
        Tally.count(EXECUTOR_AWAIT, pool);
        Tally.check(pool.awaitTermination(1, MINUTES));
    }

    /** Runs until {@code isOver} is set. */
    private static final class Task implements Runnable {
        volatile boolean isOver;

        @Override
        public void run() {
            while (!isOver) {
                Tally.yieldBriefly();
            }
        }
    }

    /** An executor of the program that runs each task in the thread that submits it. */
    private static final class Direct extends AbstractExecutorService {
        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public void shutdown() {
        }

        @Override
        public List<Runnable> shutdownNow() {
            return Collections.emptyList();
        }

        @Override
        public boolean isShutdown() {
            return false;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }

        /** A method of the program, so it is no event. */
        @Override
        public boolean awaitTermination(long time, TimeUnit unit) {
            return false;
        }
    }

    /** The queue of a scheduled pool. Its class is not public. */
    private static void queueOfTheScheduled(ScheduledThreadPoolExecutor pool) throws Exception {
        BlockingQueue<Runnable> q = pool.getQueue();
        for (long time : new long[] {-1, 0, 1}) {
            Tally.count(REMOVE_FAILS, q);
            Tally.check(q.poll(time, MILLISECONDS) == null);
        }
        for (Body remove : new Body[] {q::take, () -> q.poll(1, MINUTES)}) {
            Aside.interruptWhenWaiting();
            Tally.expectThrow(InterruptedException.class, REMOVE_FAILS, q, remove);
            Aside.runWhenWaiting(() -> q.put(new Due()));
            Tally.countEntry(REMOVE, q);
            remove.run(); // calls getDelay
            Tally.countExit(REMOVE, q);
        }
        Aside.runAndWait(pool::shutdown);
    }

    private static final class Due extends FutureTask<Void> implements
            RunnableScheduledFuture<Void> {
        Due() {
            super(() -> null);
        }

        @Override
        public boolean isPeriodic() {
            return false;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            Inside.makeCalls();
            return 0;
        }

        @Override
        public int compareTo(Delayed other) {
            return 0;
        }
    }
}
