package counted;

import static counted.Call.ACQUIRE;
import static counted.Call.RELEASE;
import static counted.Call.TRY_ACQUIRE;
import static counted.Call.TRY_ACQUIRE_FAILS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** All forms of Semaphore.tryAcquire with every outcome. */
final class Tries {
    public static void main(String[] args) throws Exception {
        Aside.startThread();
        Tally.runWorkload(() -> {
            for (boolean fair : new boolean[] {false, true}) {
                succeed(new Semaphore(10, fair));
                fail(new Semaphore(1, fair));
                exceptions(new Semaphore(1, fair));
                interrupts(new Semaphore(1, fair));
                handedOver(new Semaphore(0, fair));
            }
            overridden(new Counted());
            crowd(new Semaphore(2));
        });
    }

    private static void succeed(Semaphore s) throws InterruptedException {
        for (int i = 0; i < 20; i++) {
            Tally.count(TRY_ACQUIRE, s);
            Tally.check(s.tryAcquire());
            Tally.count(TRY_ACQUIRE, s);
            Tally.check(s.tryAcquire(2));
            Tally.count(TRY_ACQUIRE, s);
            Tally.check(s.tryAcquire(1, MINUTES));
            Tally.count(TRY_ACQUIRE, s);
            Tally.check(s.tryAcquire(3, 1, MINUTES));
            Tally.count(TRY_ACQUIRE, s);
            Tally.check(s.tryAcquire(3, -1, MINUTES));
            Tally.count(TRY_ACQUIRE, s);
            Tally.check(s.tryAcquire(0));
            Tally.count(RELEASE, s);
            s.release(10);
        }
    }

    private static void fail(Semaphore s) throws InterruptedException {
        for (int i = 0; i < 5; i++) {
            Tally.count(TRY_ACQUIRE_FAILS, s);
            Tally.check(!s.tryAcquire(2));
            Tally.count(TRY_ACQUIRE_FAILS, s);
            Tally.check(!s.tryAcquire(2, 1, MILLISECONDS));
            Tally.count(TRY_ACQUIRE_FAILS, s);
            Tally.check(!s.tryAcquire(2, -1, MILLISECONDS));
            Tally.count(ACQUIRE, s);
            s.acquire();
            Tally.count(TRY_ACQUIRE_FAILS, s);
            Tally.check(!s.tryAcquire());
            Tally.count(TRY_ACQUIRE_FAILS, s);
            Tally.check(!s.tryAcquire(1, MILLISECONDS));
            Tally.count(TRY_ACQUIRE_FAILS, s);
            Tally.check(!s.tryAcquire(0, MILLISECONDS));
            Tally.count(RELEASE, s);
            s.release();
        }
    }

    private static void exceptions(Semaphore s) {
        expectThrow(IllegalArgumentException.class, s, () -> s.tryAcquire(-1));
        expectThrow(IllegalArgumentException.class, s, () -> s.tryAcquire(-1, 1, MINUTES));
        expectThrow(NullPointerException.class, s, () -> s.tryAcquire(1, (TimeUnit) null));
        expectThrow(NullPointerException.class, s, () -> s.tryAcquire(1, 1, null));
    }

    private static void interrupts(Semaphore s) {
        Thread.currentThread().interrupt();
        expectThrow(InterruptedException.class, s, () -> s.tryAcquire(1, MINUTES));
        Thread.currentThread().interrupt();
        expectThrow(InterruptedException.class, s, () -> s.tryAcquire(1, 1, MINUTES));
        Aside.interruptWhenWaiting();
        expectThrow(InterruptedException.class, s, () -> s.tryAcquire(2, 1, MINUTES));
        Thread.currentThread().interrupt();
        Tally.count(TRY_ACQUIRE, s);
        Tally.check(s.tryAcquire() && Thread.interrupted());
        Aside.interruptWhenWaiting();
        expectThrow(InterruptedException.class, s, () -> s.tryAcquire(1, MINUTES));
    }

    private static void expectThrow(Class<? extends Throwable> kind, Semaphore s, Body body) {
        Tally.expectThrow(kind, TRY_ACQUIRE_FAILS, s, body);
    }

    private static void handedOver(Semaphore s) throws InterruptedException {
        Aside.runWhenWaiting(s::release);
        Tally.count(TRY_ACQUIRE, s);
        Tally.check(s.tryAcquire(1, MINUTES));
        Aside.runWhenWaiting(() -> s.release(4));
        Tally.count(TRY_ACQUIRE, s);
        Tally.check(s.tryAcquire(4, 1, MINUTES));
    }

    /** An override is a method of the program: it causes no event, but its calls of the superclass do. */
    @SuppressWarnings("serial")
    private static final class Counted extends Semaphore {
        Counted() {
            super(1);
        }

        @Override
        public boolean tryAcquire(int permits) {
            boolean isEnough = permits <= availablePermits();
            Tally.count(isEnough ? TRY_ACQUIRE : TRY_ACQUIRE_FAILS, this);
            return super.tryAcquire(permits);
        }
    }

    private static void overridden(Semaphore s) {
        Tally.check(!s.tryAcquire(2));
        Tally.check(s.tryAcquire(1));
        Tally.check(!s.tryAcquire(1));
    }

    /** Four threads contend for two permits. All acquire one within the time-out. */
    private static void crowd(Semaphore s) throws InterruptedException {
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = Tally.startThread("crowd-" + i, () -> {
                for (int round = 0; round < 50; round++) {
                    visit(s);
                }
            });
        }
        for (Thread thread : threads) {
            Tally.joinThread(thread);
        }
    }

    private static void visit(Semaphore s) throws InterruptedException {
        Tally.count(TRY_ACQUIRE, s);
        Tally.check(s.tryAcquire(1, MINUTES));
        Thread.yield();
        Tally.count(RELEASE, s);
        s.release();
    }
}
