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
 * ExecutorService.submit in its forms, awaitTermination and close. The threads of the pools are no
 * own ones. That a pool starts one inside of submit is no event.
 */
final class Executors {
    private static final Method CLOSE = Newer.find(ExecutorService.class, "close");
    private static final Method OF_VIRTUAL = Newer.find(
            java.util.concurrent.Executors.class, "newVirtualThreadPerTaskExecutor");

    /** Makes a new executor. */
    private interface Maker {
        ExecutorService make() throws Exception;
    }

    public static void main(String[] args) throws Exception {
        Aside.ready();
        boolean virtual = Virtual.areThere();
        Tally.run(() -> {
            all(Executors::pool);
            all(() -> new ScheduledThreadPoolExecutor(1));
            all(() -> new ForkJoinPool(1));
            all(java.util.concurrent.Executors::newSingleThreadExecutor); // a wrapper
            all(java.util.concurrent.Executors::newSingleThreadScheduledExecutor);
            if (virtual) {
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
        Aside.run(() -> e.submit(() -> {}).get()); // the thread is there
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
            Future<?> ran = e.submit(Inside::calls);
            Tally.check(get(ran) == null);
            Tally.count(SUBMIT, e);
            Future<String> given = e.submit(Inside::calls, "result");
            Tally.check(get(given).equals("result"));
            Tally.count(SUBMIT, e);
            Future<String> called = e.submit(() -> "result");
            Tally.check(get(called).equals("result"));
        }
    }

    /** Whether it is a FutureTask or a task of a pool that forks is up to the JDK. */
    private static <T> T get(Future<T> f) throws Exception {
        Tally.count(f instanceof ForkJoinTask ? TASK_JOIN : FUTURE_AWAIT, f);
        return f.get();
    }

    private static void failures(ExecutorService e) {
        Class<NullPointerException> npe = NullPointerException.class;
        Tally.fails(npe, SUBMIT, e, () -> e.submit((Runnable) null));
        Tally.fails(npe, SUBMIT, e, () -> e.submit(null, "result"));
        Tally.fails(npe, SUBMIT, e, () -> e.submit((Callable<String>) null));
        Tally.count(SUBMIT, e);
        Future<String> f = e.submit((Callable<String>) () -> {
            throw new IllegalStateException();
        });
        Call fails = f instanceof ForkJoinTask ? TASK_JOIN_FAILS : FUTURE_AWAIT_FAILS;
        Tally.fails(ExecutionException.class, fails, f, f::get);
    }

    private static void ends(ExecutorService e) throws Exception {
        for (long time : new long[] {-1, 0, 1}) {
            Tally.count(EXECUTOR_AWAIT_FAILS, e);
            Tally.check(!e.awaitTermination(time, MILLISECONDS));
        }
        Body await = () -> e.awaitTermination(1, MINUTES);
        Thread.currentThread().interrupt();
        Tally.fails(InterruptedException.class, EXECUTOR_AWAIT_FAILS, e, await);
        Aside.interruptWhenWaiting();
        Tally.fails(InterruptedException.class, EXECUTOR_AWAIT_FAILS, e, await);
        Tally.fails(NullPointerException.class, EXECUTOR_AWAIT_FAILS, e,
                () -> e.awaitTermination(1, null));
        Aside.whenWaiting(e::shutdown);
        Tally.count(EXECUTOR_AWAIT, e);
        Tally.check(e.awaitTermination(1, MINUTES));
        Tally.count(EXECUTOR_AWAIT, e);
        Tally.check(e.awaitTermination(-1, MINUTES));
        Tally.fails(RejectedExecutionException.class, SUBMIT, e, () -> e.submit(() -> {}));
    }

    private static void closes(Maker maker) throws Exception {
        ExecutorService idle = maker.make();
        close(idle);
        close(idle);
        ExecutorService busy = maker.make();
        Aside.run(() -> busy.submit(sleeping(3)));
        close(busy);
        ExecutorService stuck = maker.make();
        Thread me = Thread.currentThread();
        Aside.run(() -> stuck.submit(sleeping(60_000)));
        Aside.whenWaiting(me::interrupt); // so it interrupts the task
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

    /** The form of submit that only this pool has. */
    private static void tasks(ForkJoinPool pool) throws Exception {
        for (int i = 0; i < 5; i++) {
            ForkJoinTask<String> task = ForkJoinTask.adapt(() -> "result");
            Tally.count(SUBMIT, pool);
            Tally.check(pool.submit(task) == task);
            Tally.count(TASK_JOIN, task);
            Tally.check(task.get().equals("result"));
        }
        Tally.fails(NullPointerException.class, SUBMIT, pool,
                () -> pool.submit((ForkJoinTask<String>) null));
        Aside.run(pool::shutdown);
    }

    /** This one never ends. */
    private static void common() throws InterruptedException {
        ForkJoinPool pool = ForkJoinPool.commonPool();
        Tally.count(EXECUTOR_AWAIT_FAILS, pool);
        Tally.check(!pool.awaitTermination(1, MILLISECONDS));
    }

    /** The program's code that runs inside of submit. */
    private static void calledInside() throws Exception {
        ExecutorService direct = new Direct();
        Tally.count(SUBMIT, direct);
        get(direct.submit(Inside::calls));
        Tally.count(SUBMIT, direct);
        get(direct.submit(() -> {
            Tally.count(SUBMIT, direct);
            return get(direct.submit(Inside::calls));
        }));

        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                0, 1, 1, MINUTES, new SynchronousQueue<>(), task -> {
                    Inside.calls();
                    return new Thread(task);
                });
        Task task = new Task();
        Tally.count(SUBMIT, pool); // has a thread made
        pool.submit(task);
        pool.setRejectedExecutionHandler(new ThreadPoolExecutor.CallerRunsPolicy());
        Tally.count(SUBMIT, pool); // as that thread has no time
        Future<?> f = pool.submit(Inside::calls);
        Tally.check(f.isDone());
        pool.setRejectedExecutionHandler((rejected, by) -> Inside.calls());
        Tally.count(SUBMIT, pool);
        Tally.check(!pool.submit(() -> {}).isDone());
        task.over = true;
        Aside.run(pool::shutdown);
        Tally.count(EXECUTOR_AWAIT, pool);
        Tally.check(pool.awaitTermination(1, MINUTES));
    }

    /** Goes on until it is told. */
    private static final class Task implements Runnable {
        volatile boolean over;

        @Override
        public void run() {
            while (!over) {
                Tally.pause();
            }
        }
    }

    /** An executor of the program's own, that runs all in the thread that submits. */
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

        /** The program's own method, which is no event. */
        @Override
        public boolean awaitTermination(long time, TimeUnit unit) {
            return false;
        }
    }

    /** A queue that its pool shows, of a class that is not public. */
    private static void queueOfTheScheduled(ScheduledThreadPoolExecutor pool) throws Exception {
        BlockingQueue<Runnable> q = pool.getQueue();
        for (long time : new long[] {-1, 0, 1}) {
            Tally.count(REMOVE_FAILS, q);
            Tally.check(q.poll(time, MILLISECONDS) == null);
        }
        for (Body remove : new Body[] {q::take, () -> q.poll(1, MINUTES)}) {
            Aside.interruptWhenWaiting();
            Tally.fails(InterruptedException.class, REMOVE_FAILS, q, remove);
            Aside.whenWaiting(() -> q.put(new Due()));
            Tally.enter(REMOVE, q);
            remove.run(); // asks for the delay
            Tally.leave(REMOVE, q);
        }
        Aside.run(pool::shutdown);
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
            Inside.calls();
            return 0;
        }

        @Override
        public int compareTo(Delayed other) {
            return 0;
        }
    }
}
