package counted;

import static counted.Call.FUTURE_AWAIT;
import static counted.Call.FUTURE_AWAIT_FAILS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;

import java.lang.reflect.Method;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** FutureTask.get, CompletableFuture.get and join with every outcome. */
final class Futures {
    private static final Method OR_TIMEOUT =
            Newer.find(CompletableFuture.class, "orTimeout", long.class, TimeUnit.class);
    private static final Method COMPLETE_ON_TIMEOUT = Newer.find(
            CompletableFuture.class, "completeOnTimeout", Object.class, long.class, TimeUnit.class);

    public static void main(String[] args) throws Exception {
        Aside.startThread();
        Tally.runWorkload(() -> {
            for (int i = 0; i < 5; i++) {
                tasks();
                completables();
            }
            joins();
            timeOutsOfTheFuture();
            stages();
            waker();
            overridden(new Counted());
        });
    }

    private static void tasks() throws Exception {
        FutureTask<String> task = new FutureTask<>(() -> "result");
        unfinished(task);
        task.run();
        finished(task);

        FutureTask<String> late = new FutureTask<>(() -> "result");
        awaited(late, late::run);
        FutureTask<String> lateTimed = new FutureTask<>(() -> "result");
        awaitedTimed(lateTimed, lateTimed::run);

        FutureTask<String> failed = new FutureTask<>(() -> {
            throw new IllegalStateException();
        });
        failed.run();
        expectThrow(ExecutionException.class, failed);
        FutureTask<String> cancelled = new FutureTask<>(() -> "result");
        cancelled.cancel(true);
        expectThrow(CancellationException.class, cancelled);
    }

    private static void completables() throws Exception {
        CompletableFuture<String> future = new CompletableFuture<>();
        unfinished(future);
        future.complete("result");
        finished(future);

        CompletableFuture<String> late = new CompletableFuture<>();
        awaited(late, () -> late.complete("result"));
        CompletableFuture<String> lateTimed = new CompletableFuture<>();
        awaitedTimed(lateTimed, () -> lateTimed.complete("result"));

        CompletableFuture<String> failed = new CompletableFuture<>();
        failed.completeExceptionally(new IllegalStateException());
        expectThrow(ExecutionException.class, failed);
        CompletableFuture<String> cancelled = new CompletableFuture<>();
        cancelled.cancel(true);
        expectThrow(CancellationException.class, cancelled);
    }

    private static void unfinished(Future<String> f) {
        for (long time : new long[] {-1, 0, 1}) {
            expectThrow(TimeoutException.class, f, () -> f.get(time, MILLISECONDS));
        }
        for (Body get : new Body[] {f::get, () -> f.get(1, MINUTES)}) {
            Thread.currentThread().interrupt();
            expectThrow(InterruptedException.class, f, get);
            Aside.interruptWhenWaiting();
            expectThrow(InterruptedException.class, f, get);
        }
        expectThrow(NullPointerException.class, f, () -> f.get(1, null));
    }

    private static void finished(Future<String> f) throws Exception {
        Tally.count(FUTURE_AWAIT, f);
        Tally.check(f.get().equals("result"));
        Tally.count(FUTURE_AWAIT, f);
        Tally.check(f.get(1, MINUTES).equals("result"));
        Tally.count(FUTURE_AWAIT, f);
        Tally.check(f.get(-1, MINUTES).equals("result"));
        Tally.check(f.isDone());
    }

    private static void awaited(Future<String> f, Body finish) throws Exception {
        Aside.runWhenWaiting(finish);
        Tally.count(FUTURE_AWAIT, f);
        Tally.check(f.get().equals("result"));
    }

    private static void awaitedTimed(Future<String> f, Body finish) throws Exception {
        Aside.runWhenWaiting(finish);
        Tally.count(FUTURE_AWAIT, f);
        Tally.check(f.get(1, MINUTES).equals("result"));
    }

    private static void expectThrow(Class<? extends Throwable> kind, Future<String> f) {
        expectThrow(kind, f, f::get);
        expectThrow(kind, f, () -> f.get(1, MINUTES));
    }

    private static void expectThrow(Class<? extends Throwable> kind, Future<String> f, Body get) {
        Tally.expectThrow(kind, FUTURE_AWAIT_FAILS, f, get);
    }

    private static void joins() {
        CompletableFuture<String> f = new CompletableFuture<>();
        Aside.runWhenWaiting(() -> f.complete("result"));
        Tally.count(FUTURE_AWAIT, f);
        Tally.check(f.join().equals("result"));
        Tally.count(FUTURE_AWAIT, f);
        Tally.check(f.join().equals("result"));
        Tally.check(f.getNow("none").equals("result"));

        CompletableFuture<String> failed = new CompletableFuture<>();
        Aside.runWhenWaiting(() -> failed.completeExceptionally(new IllegalStateException()));
        expectThrow(CompletionException.class, failed, failed::join);
        expectThrow(CompletionException.class, failed, failed::join);
        CompletableFuture<String> cancelled = new CompletableFuture<>();
        Aside.runWhenWaiting(() -> cancelled.cancel(true));
        expectThrow(CancellationException.class, cancelled, cancelled::join);

        CompletableFuture<String> interrupted = new CompletableFuture<>();
        Thread me = Thread.currentThread();
        Aside.runWhenWaiting(() -> {
            me.interrupt();
            interrupted.complete("result");
        });
        Tally.count(FUTURE_AWAIT, interrupted);
        interrupted.join(); // ignores the interrupt
        Tally.check(Thread.interrupted());
    }

    /** The time-out of the future, which is not that of the call. */
    private static void timeOutsOfTheFuture() throws Exception {
        if (OR_TIMEOUT == null) {
            return;
        }
        CompletableFuture<String> given = new CompletableFuture<>();
        Aside.runAndWait(() -> Newer.call(COMPLETE_ON_TIMEOUT, given, "result", 2L, MILLISECONDS));
        Tally.count(FUTURE_AWAIT, given);
        Tally.check(given.get(1, MINUTES).equals("result"));
        CompletableFuture<String> failed = new CompletableFuture<>();
        Aside.runAndWait(() -> Newer.call(OR_TIMEOUT, failed, 2L, MILLISECONDS));
        expectThrow(ExecutionException.class, failed, failed::get);
        expectThrow(CompletionException.class, failed, failed::join);
    }

    /** Futures that depend on each other. Each has its own events. */
    private static void stages() throws Exception {
        Executor later = task -> Aside.runWhenWaiting(task::run);
        CompletableFuture<String> first = CompletableFuture.supplyAsync(() -> "res", later);
        CompletableFuture<String> second = first.thenApply(s -> s + "ult");
        Tally.count(FUTURE_AWAIT, second);
        Tally.check(second.get().equals("result"));
        Tally.count(FUTURE_AWAIT, first);
        Tally.check(first.join().equals("res"));

        CompletableFuture<Void> both = CompletableFuture.allOf(first, second);
        Tally.count(FUTURE_AWAIT, both);
        both.join();
        CompletableFuture<Object> any =
                CompletableFuture.anyOf(new CompletableFuture<>(), second);
        Tally.count(FUTURE_AWAIT, any);
        Tally.check(any.get(1, MINUTES).equals("result"));

        CompletableFuture<Void> ran = CompletableFuture.runAsync(Inside::makeCalls, Runnable::run);
        Tally.count(FUTURE_AWAIT, ran);
        ran.join();
        CompletableFuture<String> saved = CompletableFuture.<String>supplyAsync(() -> {
            throw new IllegalStateException();
        }, later).exceptionally(e -> "result");
        Tally.count(FUTURE_AWAIT, saved);
        Tally.check(saved.join().equals("result"));
    }

    /** Completing a future unparks its waiters. The JDK makes that call, and it is an event. */
    private static void waker() throws InterruptedException {
        FutureTask<String> task = new FutureTask<>(() -> "result");
        Thread waiter = Tally.startThread("waiter", () -> {
            Tally.count(FUTURE_AWAIT, task);
            task.get();
        });
        Tally.awaitState(waiter, Thread.State.WAITING);
        task.run();
        Tally.joinThread(waiter);

        CompletableFuture<String> future = new CompletableFuture<>();
        Thread joiner = Tally.startThread("joiner", () -> {
            Tally.count(FUTURE_AWAIT, future);
            future.join();
        });
        Tally.awaitState(joiner, Thread.State.WAITING);
        future.complete("result");
        Tally.joinThread(joiner);
    }

    /** An override is a method of the program: it causes no event, but its calls of the future do. */
    private static final class Counted extends CompletableFuture<String> {
        @Override
        public String get() throws ExecutionException, InterruptedException {
            Tally.count(FUTURE_AWAIT_FAILS, this);
            Tally.expectThrow(TimeoutException.class, () -> super.get(1, MILLISECONDS));
            complete("result");
            Tally.count(FUTURE_AWAIT, this);
            return super.get();
        }
    }

    private static void overridden(Future<String> f) throws Exception {
        Tally.check(f.get().equals("result"));
    }
}
