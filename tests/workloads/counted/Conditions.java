package counted;

import static counted.Call.AWAIT;
import static counted.Call.AWAIT_FAILS;
import static counted.Call.LOCK;
import static counted.Call.SIGNAL;
import static counted.Call.SIGNAL_ALL;
import static counted.Call.UNLOCK;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;

import java.util.Date;
import java.util.concurrent.locks.AbstractQueuedLongSynchronizer;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** All forms of Condition.await with every outcome; signal and signalAll. */
final class Conditions {
    public static void main(String[] args) throws Exception {
        Aside.startThread();
        Tally.runWorkload(() -> {
            for (LockWithCondition held : new LockWithCondition[] {
                new OfLock(new ReentrantLock()),
                new OfLock(new ReentrantLock(true)),
                new OfInts(new Ints()),
                new OfLongs(new Longs()),
            }) {
                timeOuts(held);
                signals(held);
                interrupts(held);
                exceptions(held);
            }
            turns(new ReentrantLock());
            crowd(new ReentrantLock());
        });
    }

    /** A lock with a condition. */
    private abstract static class LockWithCondition {
        final Condition c;

        LockWithCondition(Condition c) {
            this.c = c;
        }

        abstract void lock();

        abstract void unlock();

        /** Runs and counts an await. The program may make counted calls inside it. */
        void waits(Call call, Body await) throws Exception {
            Tally.countEntry(call, c);
            await.run();
            Tally.countExit(call, c);
        }

        void expectThrow(Class<? extends Throwable> kind, Body await) {
            Tally.countEntry(AWAIT_FAILS, c);
            Tally.expectThrow(kind, await);
            Tally.countExit(AWAIT_FAILS, c);
        }

        /** The helper thread signals as soon as this thread waits. */
        void signalWhenWaiting(Body signal) {
            Aside.runWhenWaiting(() -> {
                lock();
                signal.run();
                unlock();
            });
        }
    }

    private static final class OfLock extends LockWithCondition {
        private final ReentrantLock lock;

        OfLock(ReentrantLock lock) {
            super(lock.newCondition());
            this.lock = lock;
        }

        @Override
        void lock() {
            if (Tally.isCountedThread()) {
                Tally.count(LOCK, lock);
            }
            lock.lock();
        }

        @Override
        void unlock() {
            if (Tally.isCountedThread()) {
                Tally.count(UNLOCK, lock);
            }
            lock.unlock();
        }
    }

    /** A synchronizer of the program. Its methods cause no events, but the calls inside them do. */
    @SuppressWarnings("serial")
    private static final class Ints extends AbstractQueuedSynchronizer {
        @Override
        protected boolean tryAcquire(int n) {
            return compareAndSetState(0, n);
        }

        @Override
        protected boolean tryRelease(int n) {
            if (!isHeldExclusively()) {
                throw new IllegalMonitorStateException(); // up to JDK 11 await itself does not ask
            }
            Inside.makeCalls();
            setState(0);
            return true;
        }

        @Override
        protected boolean isHeldExclusively() {
            return getState() != 0;
        }
    }

    private static final class OfInts extends LockWithCondition {
        private final Ints sync;

        OfInts(Ints sync) {
            super(sync.new ConditionObject());
            this.sync = sync;
        }

        @Override
        void lock() {
            sync.acquire(1);
        }

        @Override
        void unlock() {
            sync.release(1);
        }
    }

    @SuppressWarnings("serial")
    private static final class Longs extends AbstractQueuedLongSynchronizer {
        @Override
        protected boolean tryAcquire(long n) {
            return compareAndSetState(0, n);
        }

        @Override
        protected boolean tryRelease(long n) {
            if (!isHeldExclusively()) {
                throw new IllegalMonitorStateException(); // up to JDK 11 await itself does not ask
            }
            setState(0);
            return true;
        }

        @Override
        protected boolean isHeldExclusively() {
            return getState() != 0;
        }
    }

    private static final class OfLongs extends LockWithCondition {
        private final Longs sync;

        OfLongs(Longs sync) {
            super(sync.new ConditionObject());
            this.sync = sync;
        }

        @Override
        void lock() {
            sync.acquire(1L << 40);
        }

        @Override
        void unlock() {
            sync.release(1L << 40);
        }
    }

    private static void timeOuts(LockWithCondition held) throws Exception {
        Condition c = held.c;
        held.lock();
        for (int i = 0; i < 3; i++) {
            held.waits(AWAIT_FAILS, () -> Tally.check(!c.await(1, MILLISECONDS)));
            held.waits(AWAIT_FAILS, () -> Tally.check(!c.await(0, MILLISECONDS)));
            held.waits(AWAIT_FAILS, () -> Tally.check(c.awaitNanos(1_000_000) <= 0));
            held.waits(AWAIT_FAILS, () -> Tally.check(c.awaitNanos(0) <= 0));
            held.waits(AWAIT_FAILS, () -> Tally.check(c.awaitNanos(-1) <= 0));
            held.waits(AWAIT_FAILS, () -> Tally.check(!c.awaitUntil(new Date())));
            held.waits(AWAIT_FAILS, () -> Tally.check(!c.awaitUntil(fromNow(2))));
        }
        held.unlock();
    }

    private static Date fromNow(long millis) {
        return new Date(System.currentTimeMillis() + millis);
    }

    private static void signals(LockWithCondition held) throws Exception {
        Condition c = held.c;
        held.lock();
        Tally.count(SIGNAL, c);
        c.signal(); // no waiter
        Tally.count(SIGNAL_ALL, c);
        c.signalAll();
        for (Body signal : new Body[] {c::signal, c::signalAll}) {
            held.signalWhenWaiting(signal);
            held.waits(AWAIT, c::await);
            held.signalWhenWaiting(signal);
            held.waits(AWAIT, () -> Tally.check(c.await(1, MINUTES)));
            held.signalWhenWaiting(signal);
            held.waits(AWAIT, () -> Tally.check(c.awaitNanos(60_000_000_000L) > 0));
            held.signalWhenWaiting(signal);
            held.waits(AWAIT, () -> Tally.check(c.awaitUntil(fromNow(60_000))));
            held.signalWhenWaiting(signal);
            held.waits(AWAIT, c::awaitUninterruptibly);
        }
        held.unlock();
    }

    private static void interrupts(LockWithCondition held) throws Exception {
        Condition c = held.c;
        Body[] awaits = {
            c::await, () -> c.await(1, MINUTES), () -> c.awaitNanos(60_000_000_000L),
            () -> c.awaitUntil(fromNow(60_000)),
        };
        held.lock();
        for (Body await : awaits) {
            Thread.currentThread().interrupt();
            held.expectThrow(InterruptedException.class, await);
            Aside.interruptWhenWaiting();
            held.expectThrow(InterruptedException.class, await);
        }
        Thread me = Thread.currentThread();
        held.signalWhenWaiting(() -> {
            me.interrupt();
            c.signal();
        });
        held.waits(AWAIT, c::awaitUninterruptibly);
        Tally.check(Thread.interrupted());
        held.unlock();
    }

    private static void exceptions(LockWithCondition held) {
        Condition c = held.c;
        Class<IllegalMonitorStateException> notHeld = IllegalMonitorStateException.class;
        Body[] awaits = {
            c::await, () -> c.await(1, MINUTES), () -> c.awaitNanos(1),
            () -> c.awaitUntil(fromNow(1)), c::awaitUninterruptibly,
        };
        for (Body await : awaits) {
            held.expectThrow(notHeld, await);
        }
        Tally.expectThrow(notHeld, SIGNAL, c, c::signal);
        Tally.expectThrow(notHeld, SIGNAL_ALL, c, c::signalAll);
        held.lock();
        held.expectThrow(NullPointerException.class, () -> c.await(1, null));
        held.expectThrow(NullPointerException.class, () -> c.awaitUntil(null));
        held.unlock();
    }

    /** Two threads take turns, each with its own condition. */
    private static void turns(ReentrantLock lock) throws Exception {
        Turns turns = new Turns(lock);
        Thread ping = Tally.startThread("ping", () -> turns.play(0, 50));
        Tally.awaitState(ping, Thread.State.WAITING);
        Thread pong = Tally.startThread("pong", () -> turns.play(1, 50));
        Tally.joinThread(ping);
        Tally.joinThread(pong);
    }

    private static final class Turns {
        private final ReentrantLock lock;
        private final Condition[] mine;
        private int turn;

        Turns(ReentrantLock lock) {
            this.lock = lock;
            mine = new Condition[] {lock.newCondition(), lock.newCondition()};
        }

        void play(int me, int rounds) throws InterruptedException {
            Tally.count(LOCK, lock);
            lock.lock();
            for (int i = 0; i < rounds; i++) {
                while (turn % 2 != me) {
                    Tally.count(AWAIT, mine[me]);
                    mine[me].await();
                }
                turn++;
                Tally.count(SIGNAL, mine[1 - me]);
                mine[1 - me].signal();
            }
            Tally.count(UNLOCK, lock);
            lock.unlock();
        }
    }

    /** Three threads wait, and one signalAll wakes all of them. */
    private static void crowd(ReentrantLock lock) throws InterruptedException {
        Condition c = lock.newCondition();
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = Tally.startThread("crowd-" + i, () -> {
                Tally.count(LOCK, lock);
                lock.lock();
                Tally.count(AWAIT, c);
                c.await();
                Tally.count(UNLOCK, lock);
                lock.unlock();
            });
            Tally.awaitState(threads[i], Thread.State.WAITING);
        }
        Tally.count(LOCK, lock);
        lock.lock();
        Tally.count(SIGNAL_ALL, c);
        c.signalAll();
        Tally.count(UNLOCK, lock);
        lock.unlock();
        for (Thread thread : threads) {
            Tally.joinThread(thread);
        }
    }
}
