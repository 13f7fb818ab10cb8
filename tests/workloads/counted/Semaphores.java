package counted;

import static counted.Call.ACQUIRE;
import static counted.Call.RELEASE;

import java.util.concurrent.Semaphore;

/** Semaphore.acquire, acquireUninterruptibly and release. tryAcquire is in Tries. */
final class Semaphores {
    public static void main(String[] args) throws Exception {
        Tally.runWorkload(() -> {
            plain(new Semaphore(10));
            plain(new Semaphore(10, true));
            exceptions(new Semaphore(0));
            interrupts(new Semaphore(0));
            uninterruptible(new Semaphore(0));
            overridden(new Counted(1));
            handOver();
        });
    }

    private static void plain(Semaphore s) throws InterruptedException {
        for (int i = 0; i < 5; i++) {
            Tally.count(ACQUIRE, s);
            s.acquire();
            Tally.count(ACQUIRE, s);
            s.acquire(2);
            Tally.count(ACQUIRE, s);
            s.acquireUninterruptibly();
            Tally.count(ACQUIRE, s);
            s.acquireUninterruptibly(3);
            s.drainPermits();
            Tally.count(RELEASE, s);
            s.release();
            Tally.count(RELEASE, s);
            s.release(9);
        }
        Tally.count(ACQUIRE, s);
        s.acquire(0);
        Tally.count(RELEASE, s);
        s.release(0);
    }

    private static void exceptions(Semaphore s) {
        expectThrow(IllegalArgumentException.class, ACQUIRE, s, () -> s.acquire(-1));
        expectThrow(IllegalArgumentException.class, ACQUIRE, s, () -> s.acquireUninterruptibly(-1));
        expectThrow(IllegalArgumentException.class, RELEASE, s, () -> s.release(-1));
        Tally.count(RELEASE, s);
        s.release(Integer.MAX_VALUE);
        expectThrow(Error.class, RELEASE, s, s::release); // too many permits
    }

    private static void expectThrow(Class<? extends Throwable> kind, Call call, Semaphore s, Body body) {
        Tally.count(call, s);
        Tally.expectThrow(kind, body);
    }

    private static void interrupts(Semaphore s) throws InterruptedException {
        Thread.currentThread().interrupt();
        expectThrow(InterruptedException.class, ACQUIRE, s, s::acquire);
        Body[] acquires = {s::acquire, () -> s.acquire(2)};
        for (Body acquire : acquires) {
            Thread taker = Tally.startThread("interrupted",
                    () -> expectThrow(InterruptedException.class, ACQUIRE, s, acquire));
            Tally.awaitState(taker, Thread.State.WAITING);
            taker.interrupt();
            Tally.joinThread(taker);
        }
    }

    /** An interrupt does not end acquireUninterruptibly. */
    private static void uninterruptible(Semaphore s) throws InterruptedException {
        Thread taker = Tally.startThread("taker", () -> {
            Tally.count(ACQUIRE, s);
            s.acquireUninterruptibly();
        });
        Tally.awaitState(taker, Thread.State.WAITING);
        taker.interrupt();
        Tally.yieldBriefly();
        Tally.count(RELEASE, s);
        s.release();
        Tally.joinThread(taker);
    }

    /** Overrides are methods of the program: they cause no events, but their calls of Semaphore do. */
    @SuppressWarnings("serial")
    private static final class Counted extends Semaphore {
        Counted(int permits) {
            super(permits);
        }

        @Override
        public void acquire() throws InterruptedException {
            Tally.count(ACQUIRE, this);
            super.acquire();
        }

        @Override
        public void release() {
            Tally.count(RELEASE, this);
            super.release(1);
        }
    }

    private static void overridden(Semaphore s) throws InterruptedException {
        for (int i = 0; i < 5; i++) {
            s.acquire();
            s.release();
        }
    }

    /** Four threads share two permits. */
    private static void handOver() throws InterruptedException {
        Semaphore s = new Semaphore(2);
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = Tally.startThread("porter-" + i, () -> {
                for (int round = 0; round < 25; round++) {
                    Tally.count(ACQUIRE, s);
                    s.acquire();
                    Tally.yieldBriefly();
                    Tally.count(RELEASE, s);
                    s.release();
                }
            });
        }
        for (Thread thread : threads) {
            Tally.joinThread(thread);
        }
    }
}
