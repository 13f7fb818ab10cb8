package counted;

import static counted.Call.BARRIER_AWAIT;
import static counted.Call.BARRIER_AWAIT_FAILS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeoutException;

/** CyclicBarrier.await with every outcome. The action of a barrier runs inside await. */
final class Barriers {
    public static void main(String[] args) throws Exception {
        Aside.startThread();
        Tally.runWorkload(() -> {
            alone(new CyclicBarrier(1));
            meet(new CyclicBarrier(2));
            rounds(new CyclicBarrier(4));
            timeOuts();
            interrupts();
            broken();
            action(new CyclicBarrier(1, Inside::makeCalls));
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
        expectThrow(NullPointerException.class, b, () -> b.await(1, null));
    }

    private static void expectThrow(Class<? extends Throwable> kind, CyclicBarrier b, Body await) {
        Tally.expectThrow(kind, BARRIER_AWAIT_FAILS, b, await);
    }

    /** Two threads arrive, one after the other. */
    private static void meet(CyclicBarrier b) throws Exception {
        for (int i = 0; i < 5; i++) {
            Aside.runWhenWaiting(b::await);
            Tally.count(BARRIER_AWAIT, b);
            Tally.check(b.await() == 1);
            Aside.runWhenWaiting(b::await);
            Tally.count(BARRIER_AWAIT, b);
            Tally.check(b.await(1, MINUTES) == 1);
        }
    }

    private static void rounds(CyclicBarrier b) throws InterruptedException {
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = Tally.startThread("party-" + i, () -> {
                for (int round = 0; round < 25; round++) {
                    Tally.count(BARRIER_AWAIT, b);
                    b.await();
                }
            });
        }
        for (Thread thread : threads) {
            Tally.joinThread(thread);
        }
    }

    private static void timeOuts() throws Exception {
        for (long time : new long[] {-1, 0, 1}) {
            CyclicBarrier b = new CyclicBarrier(2);
            expectThrow(TimeoutException.class, b, () -> b.await(time, MILLISECONDS));
            expectThrow(BrokenBarrierException.class, b, b::await);
            expectThrow(BrokenBarrierException.class, b, () -> b.await(1, MINUTES));
            Aside.runAndWait(b::reset);
            expectThrow(TimeoutException.class, b, () -> b.await(time, MILLISECONDS));
        }
    }

    private static void interrupts() throws Exception {
        CyclicBarrier b = new CyclicBarrier(2);
        for (Body await : new Body[] {b::await, () -> b.await(1, MINUTES)}) {
            Thread.currentThread().interrupt();
            expectThrow(InterruptedException.class, b, await);
            Aside.runAndWait(b::reset);
            Aside.interruptWhenWaiting();
            expectThrow(InterruptedException.class, b, await);
            Aside.runAndWait(b::reset);
        }
        CyclicBarrier one = new CyclicBarrier(1);
        Thread.currentThread().interrupt();
        expectThrow(InterruptedException.class, one, one::await);
    }

    /** The barrier breaks while a thread waits: by a reset, and by the interrupt of another thread. */
    private static void broken() throws InterruptedException {
        CyclicBarrier b = new CyclicBarrier(3);
        Aside.runWhenWaiting(b::reset);
        expectThrow(BrokenBarrierException.class, b, b::await);
        Thread other = Tally.startThread("other", () -> expectThrow(InterruptedException.class, b, b::await));
        Tally.awaitState(other, Thread.State.WAITING);
        Aside.runWhenWaiting(other::interrupt);
        expectThrow(BrokenBarrierException.class, b, b::await);
        Tally.joinThread(other);
    }

    private static void action(CyclicBarrier b) throws Exception {
        for (int i = 0; i < 10; i++) {
            Tally.countEntry(BARRIER_AWAIT, b);
            b.await(); // the action makes counted calls
            Tally.countExit(BARRIER_AWAIT, b);
        }
    }

    /** The last thread to arrive runs the action, which awaits another barrier. */
    private static void actionOfTheLast() throws Exception {
        CyclicBarrier inner = new CyclicBarrier(1, Inside::makeCalls);
        CyclicBarrier b = new CyclicBarrier(2, () -> {
            Tally.keepFailure(() -> action(inner));
        });
        Thread first = Tally.startThread("first", () -> {
            Tally.count(BARRIER_AWAIT, b);
            b.await();
        });
        Tally.awaitState(first, Thread.State.WAITING);
        Tally.countEntry(BARRIER_AWAIT, b);
        b.await();
        Tally.countExit(BARRIER_AWAIT, b);
        Tally.joinThread(first);
    }

    private static void failingAction() throws InterruptedException {
        CyclicBarrier b = new CyclicBarrier(2, () -> {
            Inside.makeCalls();
            throw new IllegalStateException();
        });
        Thread first = Tally.startThread("first", () -> expectThrow(BrokenBarrierException.class, b, b::await));
        Tally.awaitState(first, Thread.State.WAITING);
        Tally.countEntry(BARRIER_AWAIT_FAILS, b);
        Tally.expectThrow(IllegalStateException.class, b::await);
        Tally.countExit(BARRIER_AWAIT_FAILS, b);
        Tally.joinThread(first);
    }
}
