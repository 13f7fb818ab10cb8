package counted;

import static counted.Call.BEGIN;
import static counted.Call.FUTURE_AWAIT;
import static counted.Call.SUBMIT;
import static counted.Call.TASK_JOIN;
import static counted.Call.TASK_JOIN_FAILS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;

import java.lang.reflect.Method;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** ForkJoinTask.join, get and quietlyJoin, in a pool and outside. Other tasks may run inside them. */
final class ForkJoins {
    private static final Method QUIETLY_JOIN =
            Newer.find(ForkJoinTask.class, "quietlyJoin", long.class, TimeUnit.class);
    private static final Method QUIETLY_JOIN_UNINTERRUPTIBLY = Newer.find(
            ForkJoinTask.class, "quietlyJoinUninterruptibly", long.class, TimeUnit.class);

    public static void main(String[] args) throws Exception {
        System.setProperty("java.util.concurrent.ForkJoinPool.common.parallelism", "1");
        Tally.allowJdkEvents("lock"); // a worker acquires one when it starts
        Aside.startThread();
        Tally.runWorkload(() -> {
            finished();
            unfinished(new Given());
            awaited();
            failed();
            quietlyTimed();
            submitted();
            inside();
            helping();
        });
    }

    /** A task that never runs. Another thread completes it. */
    @SuppressWarnings("serial")
    private static final class Given extends RecursiveTask<String> {
        @Override
        protected String compute() {
            throw new AssertionError("is never run");
        }
    }

    private static void finished() throws Exception {
        ForkJoinTask<String> task = ForkJoinTask.adapt(() -> "result");
        Aside.runAndWait(task::invoke); // no event, but newer JDKs call join inside
        for (int i = 0; i < 10; i++) {
            Tally.count(TASK_JOIN, task);
            Tally.check(task.join().equals("result"));
            Tally.count(TASK_JOIN, task);
            Tally.check(task.get().equals("result"));
            Tally.count(TASK_JOIN, task);
            Tally.check(task.get(1, MINUTES).equals("result"));
            Tally.count(TASK_JOIN, task);
            task.quietlyJoin();
        }
    }

    private static void unfinished(Given task) {
        for (long time : new long[] {-1, 0, 1}) {
            expectThrow(TimeoutException.class, task, () -> task.get(time, MILLISECONDS));
        }
        for (Body get : new Body[] {task::get, () -> task.get(1, MINUTES)}) {
            Thread.currentThread().interrupt();
            expectThrow(InterruptedException.class, task, get);
            Aside.interruptWhenWaiting();
            expectThrow(InterruptedException.class, task, get);
        }
        expectThrow(NullPointerException.class, task, () -> task.get(1, null));
    }

    private static void expectThrow(Class<? extends Throwable> kind, ForkJoinTask<?> task, Body join) {
        Tally.expectThrow(kind, TASK_JOIN_FAILS, task, join);
    }

    /** Returns a task that the helper thread completes as soon as this thread waits. */
    private static Given newGivenLater() {
        Given task = new Given();
        Aside.runWhenWaiting(() -> task.complete("result"));
        return task;
    }

    private static void awaited() throws Exception {
        for (int i = 0; i < 3; i++) {
            Given joined = newGivenLater();
            Tally.count(TASK_JOIN, joined);
            Tally.check(joined.join().equals("result"));
            Given got = newGivenLater();
            Tally.count(TASK_JOIN, got);
            Tally.check(got.get().equals("result"));
            Given gotTimed = newGivenLater();
            Tally.count(TASK_JOIN, gotTimed);
            Tally.check(gotTimed.get(1, MINUTES).equals("result"));
            Given quietly = newGivenLater();
            Tally.count(TASK_JOIN, quietly);
            quietly.quietlyJoin();
        }
    }

    private static void failed() {
        Given task = new Given();
        Aside.runWhenWaiting(() -> task.completeExceptionally(new IllegalStateException()));
        expectThrow(IllegalStateException.class, task, task::join);
        expectThrow(IllegalStateException.class, task, task::join);
        expectThrow(ExecutionException.class, task, task::get);
        expectThrow(ExecutionException.class, task, () -> task.get(1, MINUTES));
        Tally.count(TASK_JOIN, task);
        task.quietlyJoin();

        Given cancelled = new Given();
        Aside.runWhenWaiting(() -> cancelled.cancel(true));
        expectThrow(CancellationException.class, cancelled, cancelled::join);
        expectThrow(CancellationException.class, cancelled, cancelled::get);
        Tally.count(TASK_JOIN, cancelled);
        cancelled.quietlyJoin();
    }

    private static void quietlyTimed() throws Exception {
        if (QUIETLY_JOIN == null) {
            return;
        }
        for (Method join : new Method[] {QUIETLY_JOIN, QUIETLY_JOIN_UNINTERRUPTIBLY}) {
            Given task = new Given();
            Tally.count(TASK_JOIN_FAILS, task);
            Tally.check(Newer.call(join, task, 1L, MILLISECONDS).equals(false));
            Tally.count(TASK_JOIN_FAILS, task);
            Tally.check(Newer.call(join, task, -1L, MILLISECONDS).equals(false));
            Aside.runWhenWaiting(() -> task.complete("result"));
            Tally.count(TASK_JOIN, task);
            Tally.check(Newer.call(join, task, 1L, MINUTES).equals(true));
            Tally.count(TASK_JOIN, task);
            Tally.check(Newer.call(join, task, 0L, MINUTES).equals(true));
        }
        Given task = new Given();
        Aside.interruptWhenWaiting();
        expectThrow(InterruptedException.class, task, () -> Newer.call(QUIETLY_JOIN, task, 1L, MINUTES));
    }

    /** Tasks in a pool whose threads are not counted. */
    private static void submitted() throws Exception {
        ForkJoinPool pool = new ForkJoinPool(2);
        for (int i = 0; i < 20; i++) {
            Fibonacci task = new Fibonacci(5);
            Tally.count(SUBMIT, pool);
            pool.submit(task);
            Tally.count(TASK_JOIN, task);
            Tally.check(task.join() == 5);
        }
        Aside.runAndWait(pool::shutdown);
    }

    /** Forks and joins tasks. A task may run inside the join. */
    @SuppressWarnings("serial")
    private static final class Fibonacci extends RecursiveTask<Integer> {
        private final int n;

        Fibonacci(int n) {
            this.n = n;
        }

        @Override
        protected Integer compute() {
            Inside.makeCalls();
            if (n < 2) {
                return n;
            }
            Fibonacci one = new Fibonacci(n - 1);
            Fibonacci two = new Fibonacci(n - 2);
            one.fork();
            int sum = two.compute();
            return sum + countJoin(one);
        }
    }

    private static <T> T countJoin(ForkJoinTask<T> task) {
        if (!Tally.isCountedThread()) {
            return task.join();
        }
        Tally.countEntry(TASK_JOIN, task);
        T result = task.join();
        Tally.countExit(TASK_JOIN, task);
        return result;
    }

    /** The first thread of its pool, which is counted. The pool makes others only in its place. */
    private static final class Worker extends ForkJoinWorkerThread {
        Worker(ForkJoinPool pool) {
            super(pool);
        }

        @Override
        protected void onStart() {
            Tally.count(BEGIN, null);
        }
    }

    private static void inside() throws Exception {
        AtomicInteger made = new AtomicInteger();
        ForkJoinPool pool = new ForkJoinPool(1, p -> made.getAndIncrement() == 0
                ? Tally.addThread(new Worker(p))
                : ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(p), null, false);
        RecursiveAction all = action(() -> {
            Tally.check(Thread.currentThread() instanceof Worker);
            for (int i = 0; i < 5; i++) {
                Tally.check(countJoin(forked(new Fibonacci(6))) == 8);
                ways();
                if (Newer.javaVersion() >= 25) {
                    newerWays(pool);
                }
            }
            awaitedInside();
            Tally.endAccount(); // then it searches for tasks, for any time
        });
        Tally.count(SUBMIT, pool);
        pool.submit(all);
        Tally.count(TASK_JOIN, all);
        all.join();
        Aside.runAndWait(pool::shutdown);
    }

    @SuppressWarnings("serial")
    private static RecursiveAction action(Body body) {
        return new RecursiveAction() {
            @Override
            protected void compute() {
                try {
                    body.run();
                } catch (RuntimeException e) {
                    throw e;
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            }
        };
    }

    private static <T extends ForkJoinTask<?>> T forked(T task) {
        task.fork();
        return task;
    }

    private static void ways() throws Exception {
        RecursiveAction got = forked(action(Inside::makeCalls));
        Tally.countEntry(TASK_JOIN, got);
        got.get();
        Tally.countExit(TASK_JOIN, got);
        RecursiveAction quietly = forked(action(Inside::makeCalls));
        Tally.countEntry(TASK_JOIN, quietly);
        quietly.quietlyJoin();
        Tally.countExit(TASK_JOIN, quietly);
        RecursiveAction failed = forked(action(() -> {
            Inside.makeCalls();
            throw new IllegalStateException();
        }));
        Tally.countEntry(TASK_JOIN_FAILS, failed);
        Tally.expectThrow(IllegalStateException.class, failed::join);
        Tally.countExit(TASK_JOIN_FAILS, failed);
        ForkJoinTask.invokeAll(action(Inside::makeCalls), action(Inside::makeCalls)); // no event
    }

    /** From JDK 25 on. In older JDKs a spare thread may run the task instead of the worker. */
    private static void newerWays(ForkJoinPool pool) throws Exception {
        RecursiveAction got = forked(action(Inside::makeCalls));
        Tally.countEntry(TASK_JOIN, got);
        got.get(1, MINUTES);
        Tally.countExit(TASK_JOIN, got);
        CompletableFuture<Void> future = CompletableFuture.runAsync(Inside::makeCalls, pool);
        Tally.countEntry(FUTURE_AWAIT, future);
        future.join();
        Tally.countExit(FUTURE_AWAIT, future);
    }

    /** A spare thread takes the worker's place. A later fork would wake that thread, which is an event. */
    private static void awaitedInside() throws Exception {
        awaited();
        CompletableFuture<String> future = new CompletableFuture<>();
        Aside.runWhenWaiting(() -> future.complete("result"));
        Tally.count(FUTURE_AWAIT, future);
        Tally.check(future.get().equals("result"));
    }

    /** The only thread of the common pool is busy, so the thread that joins a task runs it. */
    private static void helping() throws Exception {
        Thread me = Thread.currentThread();
        AtomicInteger helped = new AtomicInteger();
        Spin spin = new Spin();
        boolean[] helps = new boolean[1];
        Aside.runAndWait(() -> {
            ForkJoinPool.commonPool().submit(spin);
            while (!spin.hasStarted) {
                Tally.yieldBriefly();
            }
            helps[0] = joinHelps();
        });
        if (!helps[0]) {
            spin.isOver = true;
            return;
        }
        for (int i = 0; i < 10; i++) {
            RecursiveAction task = action(() -> {
                Inside.makeCalls();
                Tally.check(Thread.currentThread() == me);
                helped.getAndIncrement();
            });
            Tally.count(SUBMIT, ForkJoinPool.commonPool());
            ForkJoinPool.commonPool().submit(task);
            Tally.countEntry(TASK_JOIN, task);
            task.join();
            Tally.countExit(TASK_JOIN, task);
        }
        spin.isOver = true;
        Tally.check(helped.get() == 10);
    }

    /** Tells whether a thread that is not of the common pool runs the task that it joins. JDK 21 waits instead. */
    private static boolean joinHelps() throws Exception {
        ForkJoinTask<?> task = ForkJoinPool.commonPool().submit(() -> { });
        try {
            task.get(1, SECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    private static final class Spin implements Runnable {
        volatile boolean hasStarted;
        volatile boolean isOver;

        @Override
        public void run() {
            hasStarted = true;
            while (!isOver) {
                Tally.yieldBriefly();
            }
        }
    }
}
