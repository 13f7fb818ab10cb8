package counted;

import static counted.Call.ARRIVE;
import static counted.Call.PHASER_AWAIT;
import static counted.Call.PHASER_AWAIT_FAILS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;

import java.util.concurrent.Phaser;
import java.util.concurrent.TimeoutException;

/** Phaser: arrivals, and awaits with every outcome. A registration is no event. */
final class Phasers {
    public static void main(String[] args) throws Exception {
        Aside.startThread();
        Tally.runWorkload(() -> {
            alone(new Phaser(1));
            past(new Phaser(1));
            awaited(new Phaser(1));
            timeOuts(new Phaser(1));
            interrupts(new Phaser(1));
            exceptions(new Phaser());
            terminated(new Phaser(1));
            tiers(new Phaser(), 3);
            rounds(new Phaser(4));
            onAdvance(new Calling());
        });
    }

    private static void arrive(Phaser p) {
        Tally.count(ARRIVE, p);
        p.arrive();
    }

    private static void alone(Phaser p) {
        for (int i = 0; i < 20; i++) {
            Tally.count(PHASER_AWAIT, p);
            p.arriveAndAwaitAdvance();
            arrive(p);
            p.register();
            Tally.count(ARRIVE, p);
            p.arriveAndDeregister();
        }
    }

    /** Awaiting a phase that is over returns at once. */
    private static void past(Phaser p) throws Exception {
        arrive(p);
        for (int i = 0; i < 5; i++) {
            Tally.count(PHASER_AWAIT, p);
            Tally.check(p.awaitAdvance(0) == 1);
            Tally.count(PHASER_AWAIT, p);
            Tally.check(p.awaitAdvanceInterruptibly(0) == 1);
            Tally.count(PHASER_AWAIT, p);
            Tally.check(p.awaitAdvanceInterruptibly(0, 1, MINUTES) == 1);
            Tally.count(PHASER_AWAIT, p);
            Tally.check(p.awaitAdvance(-7) == -7);
        }
    }

    private static void awaited(Phaser p) throws Exception {
        for (int i = 0; i < 3; i++) {
            int phase = p.getPhase();
            Aside.runWhenWaiting(p::arrive);
            Tally.count(PHASER_AWAIT, p);
            Tally.check(p.awaitAdvance(phase) == phase + 1);
            Aside.runWhenWaiting(p::arrive);
            Tally.count(PHASER_AWAIT, p);
            Tally.check(p.awaitAdvanceInterruptibly(phase + 1) == phase + 2);
            Aside.runWhenWaiting(p::arrive);
            Tally.count(PHASER_AWAIT, p);
            Tally.check(p.awaitAdvanceInterruptibly(phase + 2, 1, MINUTES) == phase + 3);
            p.register();
            Aside.runWhenWaiting(p::arriveAndDeregister);
            Tally.count(PHASER_AWAIT, p);
            Tally.check(p.arriveAndAwaitAdvance() == phase + 4);
        }
    }

    private static void timeOuts(Phaser p) {
        for (long time : new long[] {-1, 0, 1}) {
            Tally.expectThrow(TimeoutException.class, PHASER_AWAIT_FAILS, p,
                    () -> p.awaitAdvanceInterruptibly(0, time, MILLISECONDS));
        }
    }

    private static void interrupts(Phaser p) {
        Body[] awaits = {
            () -> p.awaitAdvanceInterruptibly(0), () -> p.awaitAdvanceInterruptibly(0, 1, MINUTES),
        };
        for (Body await : awaits) {
            Thread.currentThread().interrupt();
            Tally.expectThrow(InterruptedException.class, PHASER_AWAIT_FAILS, p, await);
            Aside.interruptWhenWaiting();
            Tally.expectThrow(InterruptedException.class, PHASER_AWAIT_FAILS, p, await);
        }
        Thread me = Thread.currentThread();
        Aside.runWhenWaiting(() -> {
            me.interrupt();
            p.arrive();
        });
        Tally.count(PHASER_AWAIT, p);
        Tally.check(p.awaitAdvance(0) == 1); // ignores the interrupt
        Tally.check(Thread.interrupted());
    }

    private static void exceptions(Phaser p) {
        Class<IllegalStateException> nobody = IllegalStateException.class;
        Tally.expectThrow(nobody, ARRIVE, p, p::arrive);
        Tally.expectThrow(nobody, ARRIVE, p, p::arriveAndDeregister);
        Tally.expectThrow(nobody, PHASER_AWAIT_FAILS, p, p::arriveAndAwaitAdvance);
        Tally.expectThrow(NullPointerException.class, PHASER_AWAIT_FAILS, p,
                () -> p.awaitAdvanceInterruptibly(0, 1, null));
    }

    /** All calls on a terminated phaser return a negative number at once. */
    private static void terminated(Phaser p) throws Exception {
        Aside.runWhenWaiting(p::forceTermination);
        Tally.count(PHASER_AWAIT, p);
        Tally.check(p.awaitAdvance(0) < 0);
        Tally.count(PHASER_AWAIT, p);
        Tally.check(p.arriveAndAwaitAdvance() < 0);
        Tally.count(PHASER_AWAIT, p);
        Tally.check(p.awaitAdvanceInterruptibly(0, 1, MINUTES) < 0);
        arrive(p);
        Tally.count(ARRIVE, p);
        Tally.check(p.arriveAndDeregister() < 0);
    }

    /** The arrival of a child phaser at its parent is no event. */
    private static void tiers(Phaser root, int rounds) {
        Phaser one = new Phaser(root, 1);
        Phaser two = new Phaser(root, 1);
        for (int i = 0; i < rounds; i++) {
            arrive(one);
            Tally.count(PHASER_AWAIT, two);
            Tally.check(two.arriveAndAwaitAdvance() == i + 1);
            Tally.count(PHASER_AWAIT, one);
            Tally.check(one.awaitAdvance(i) == i + 1);
        }
        Tally.count(ARRIVE, one);
        one.arriveAndDeregister();
        Tally.count(ARRIVE, two);
        two.arriveAndDeregister();
        Tally.check(root.isTerminated());
    }

    private static void rounds(Phaser p) throws InterruptedException {
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = Tally.startThread("party-" + i, () -> {
                for (int round = 0; round < 25; round++) {
                    Tally.count(PHASER_AWAIT, p);
                    p.arriveAndAwaitAdvance();
                }
            });
        }
        for (Thread thread : threads) {
            Tally.joinThread(thread);
        }
    }

    /** A phaser whose onAdvance makes counted calls, in the last thread to arrive. */
    private static final class Calling extends Phaser {
        Calling() {
            super(1);
        }

        @Override
        protected boolean onAdvance(int phase, int parties) {
            Inside.makeCalls();
            if (phase == 7) {
                throw new IllegalStateException();
            }
            return false;
        }
    }

    private static void onAdvance(Phaser p) {
        for (int i = 0; i < 6; i++) {
            Tally.countEntry(PHASER_AWAIT, p);
            p.arriveAndAwaitAdvance();
            Tally.countExit(PHASER_AWAIT, p);
        }
        arrive(p);
        Tally.countEntry(PHASER_AWAIT_FAILS, p);
        Tally.expectThrow(IllegalStateException.class, p::arriveAndAwaitAdvance);
        Tally.countExit(PHASER_AWAIT_FAILS, p);
    }
}
