package counted;

import static counted.Call.BARRIER_AWAIT;
import static counted.Call.BARRIER_AWAIT_FAILS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeoutException;

/** CyclicBarrier.await, left in every way; the barrier's action runs inside of it. */
final class Barriers {
    public static void main(String[] args) throws Exception {
        Aside.ready();
        Tally.run(() -> {
            alone(new CyclicBarrier(1));
            meet(new CyclicBarrier(2));
            rounds(new CyclicBarrier(4));
            timeOuts();
            interrupts();
            broken();
            action(new CyclicBarrier(1, Inside::calls));
            actionOfTheLast();
            failingAction();
        });
    }

    private static void alone(CyclicBarrier b) throws Exception {
        for (int i = 0; i < 20; i++) {
            Tally.count(BARRIER_AWAIT, b);
            b.await();
            Tally.count(BARRIER_AWAIT, b);
            b.await(1, MINUTES);
        }
        fails(NullPointerException.class, b, () -> b.await(1, null));
    }

    private static void fails(Class<? extends Throwable> kind, CyclicBarrier b, Body await) {
        Tally.fails(kind, BARRIER_AWAIT_FAILS, b, await);
    }

    /** Two come, one after the other. */
    private static void meet(CyclicBarrier b) throws Exception {
        for (int i = 0; i < 5; i++) {
            Aside.whenWaiting(b::await);
            Tally.count(BARRIER_AWAIT, b);
            Tally.check(b.await() == 1);
            Aside.whenWaiting(b::await);
            Tally.count(BARRIER_AWAIT, b);
            Tally.check(b.await(1, MINUTES) == 1);
        }
    }

    private static void rounds(CyclicBarrier b) throws InterruptedException {
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = Tally.start("party-" + i, () -> {
                for (int round = 0; round < 25; round++) {
                    Tally.count(BARRIER_AWAIT, b);
                    b.await();
                }
            });
        }
        for (Thread thread : threads) {
            Tally.join(thread);
        }
    }

    private static void timeOuts() throws Exception {
        for (long time : new long[] {-1, 0, 1}) {
            CyclicBarrier b = new CyclicBarrier(2);
            fails(TimeoutException.class, b, () -> b.await(time, MILLISECONDS));
            fails(BrokenBarrierException.class, b, b::await);
            fails(BrokenBarrierException.class, b, () -> b.await(1, MINUTES));
            Aside.run(b::reset);
            fails(TimeoutException.class, b, () -> b.await(time, MILLISECONDS));
        }
    }

    private static void interrupts() throws Exception {
        CyclicBarrier b = new CyclicBarrier(2);
        for (Body await : new Body[] {b::await, () -> b.await(1, MINUTES)}) {
            Thread.currentThread().interrupt();
            fails(InterruptedException.class, b, await);
            Aside.run(b::reset);
            Aside.interruptWhenWaiting();
            fails(InterruptedException.class, b, await);
            Aside.run(b::reset);
        }
        CyclicBarrier one = new CyclicBarrier(1);
        Thread.currentThread().interrupt();
        fails(InterruptedException.class, one, one::await);
    }

    /** Broken while one waits: by a reset, by another one's interrupt. */
    private static void broken() throws InterruptedException {
        CyclicBarrier b = new CyclicBarrier(3);
        Aside.whenWaiting(b::reset);
        fails(BrokenBarrierException.class, b, b::await);
        Thread other = Tally.start("other", () -> fails(InterruptedException.class, b, b::await));
        Tally.until(other, Thread.State.WAITING);
        Aside.whenWaiting(other::interrupt);
        fails(BrokenBarrierException.class, b, b::await);
        Tally.join(other);
    }

    private static void action(CyclicBarrier b) throws Exception {
        for (int i = 0; i < 10; i++) {
            Tally.enter(BARRIER_AWAIT, b);
            b.await(); // the action does what counts
            Tally.leave(BARRIER_AWAIT, b);
        }
    }

    /** The last one to come runs the action, even if that meets at a barrier itself. */
    private static void actionOfTheLast() throws Exception {
        CyclicBarrier inner = new CyclicBarrier(1, Inside::calls);
        CyclicBarrier b = new CyclicBarrier(2, () -> {
            Tally.attempt(() -> action(inner));
        });
        Thread first = Tally.start("first", () -> {
            Tally.count(BARRIER_AWAIT, b);
            b.await();
        });
        Tally.until(first, Thread.State.WAITING);
        Tally.enter(BARRIER_AWAIT, b);
        b.await();
        Tally.leave(BARRIER_AWAIT, b);
        Tally.join(first);
    }

    private static void failingAction() throws InterruptedException {
        CyclicBarrier b = new CyclicBarrier(2, () -> {
            Inside.calls();
            throw new IllegalStateException();
        });
        Thread first = Tally.start("first", () -> fails(BrokenBarrierException.class, b, b::await));
        Tally.until(first, Thread.State.WAITING);
        Tally.enter(BARRIER_AWAIT_FAILS, b);
        Tally.fails(IllegalStateException.class, b::await);
        Tally.leave(BARRIER_AWAIT_FAILS, b);
        Tally.join(first);
    }
}
