package counted;

import static counted.Call.READ_LOCK;
import static counted.Call.READ_LOCK_FAILS;
import static counted.Call.READ_TRY;
import static counted.Call.READ_TRY_FAILS;
import static counted.Call.READ_UNLOCK;
import static counted.Call.WRITE_LOCK;
import static counted.Call.WRITE_LOCK_FAILS;
import static counted.Call.WRITE_TRY;
import static counted.Call.WRITE_TRY_FAILS;
import static counted.Call.WRITE_UNLOCK;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.StampedLock;

/** StampedLock and its views. Optimistic reads and conversions are no events. */
final class Stamped {
    /** In Java 8 unlock(stamp) is no event, and makes no recorded call. */
    private static final boolean IS_JAVA_8 = Newer.javaVersion() == 8;

    public static void main(String[] args) throws Exception {
        Aside.startThread();
        Tally.runWorkload(() -> {
            for (Side side : new Side[] {new Reading(), new Writing()}) {
                side.uncontended();
                side.held();
                side.handedOver();
                side.interrupts();
                side.exceptions();
                side.view();
                side.crowd();
            }
            silent(new StampedLock());
        });
    }

    /** Reading or writing, with the events of its calls. */
    private abstract static class Side {
        final StampedLock s = new StampedLock();
        private final Call acquire;
        private final Call acquireFails;
        private final Call tries;
        private final Call triesFails;
        private final Call release;

        Side(Call acquire, Call acquireFails, Call tries, Call triesFails, Call release) {
            this.acquire = acquire;
            this.acquireFails = acquireFails;
            this.tries = tries;
            this.triesFails = triesFails;
            this.release = release;
        }

        abstract long acquire();

        abstract long acquireInterruptibly() throws InterruptedException;

        abstract long tryAcquire();

        abstract long tryAcquire(long time, TimeUnit unit) throws InterruptedException;

        abstract void release(long stamp);

        abstract boolean tryRelease();

        abstract Lock asLock();

        /** The view for this side from asReadWriteLock(). */
        abstract Lock asLockOfBoth();

        private void unlock(long stamp) {
            Tally.count(release, s);
            release(stamp);
        }

        void uncontended() throws InterruptedException {
            for (int i = 0; i < 30; i++) {
                Tally.count(acquire, s);
                unlock(acquire());
                Tally.count(acquire, s);
                unlock(acquireInterruptibly());
                Tally.count(tries, s);
                unlock(tryAcquire());
                Tally.count(tries, s);
                unlock(tryAcquire(1, MINUTES));
                Tally.count(tries, s);
                long stamp = tryAcquire(-1, MINUTES);
                Tally.count(release, s);
                Tally.check(tryRelease());
                Tally.check(!s.validate(stamp) || release == READ_UNLOCK);
                Tally.count(acquire, s);
                unlockByStamp(acquire());
            }
            Tally.count(release, s);
            Tally.check(!tryRelease());
        }

        /** From Java 9 on, unlock calls unlockRead or unlockWrite. */
        private void unlockByStamp(long stamp) {
            if (!IS_JAVA_8) {
                Tally.count(release, s);
            }
            s.unlock(stamp);
        }

        void held() throws Exception {
            Tally.countContention(s, Aside.getThread());
            long[] stamp = new long[1];
            Aside.runAndWait(() -> stamp[0] = s.writeLock());
            for (int i = 0; i < 3; i++) {
                Tally.count(triesFails, s);
                Tally.check(tryAcquire() == 0);
                Tally.count(triesFails, s);
                Tally.check(tryAcquire(0, MINUTES) == 0);
                Tally.count(triesFails, s);
                Tally.check(tryAcquire(1, MILLISECONDS) == 0);
            }
            Aside.runAndWait(() -> s.unlockWrite(stamp[0]));
        }

        void handedOver() throws Exception {
            for (int i = 0; i < 3; i++) {
                lockAside();
                Tally.count(acquire, s);
                unlock(acquire());
                lockAside();
                Tally.count(acquire, s);
                unlock(acquireInterruptibly());
                lockAside();
                Tally.count(tries, s);
                unlock(tryAcquire(1, MINUTES));
            }
        }

        private void lockAside() throws Exception {
            long[] stamp = new long[1];
            Aside.runAndWait(() -> stamp[0] = s.writeLock());
            Aside.runWhenWaiting(() -> s.unlockWrite(stamp[0]));
        }

        void interrupts() throws Exception {
            Thread.currentThread().interrupt();
            interrupted(this::acquireInterruptibly, acquireFails);
            Thread.currentThread().interrupt();
            interrupted(() -> tryAcquire(1, MINUTES), triesFails);
            Thread.currentThread().interrupt();
            Tally.count(acquire, s);
            unlock(acquire()); // ignores the interrupt
            Tally.check(Thread.interrupted());
            long[] stamp = new long[1];
            Aside.runAndWait(() -> stamp[0] = s.writeLock());
            Aside.interruptWhenWaiting();
            interrupted(this::acquireInterruptibly, acquireFails);
            Aside.interruptWhenWaiting();
            interrupted(() -> tryAcquire(1, MINUTES), triesFails);
            Aside.runAndWait(() -> s.unlockWrite(stamp[0]));
        }

        private void interrupted(Body body, Call call) {
            Tally.expectThrow(InterruptedException.class, call, s, body);
        }

        void exceptions() {
            Tally.expectThrow(IllegalMonitorStateException.class, release, s, () -> release(1));
            Tally.expectThrow(NullPointerException.class, triesFails, s, () -> tryAcquire(1, null));
            Tally.count(acquire, s);
            long stamp = acquire();
            Tally.expectThrow(IllegalMonitorStateException.class, release, s, () -> release(stamp + 256));
            unlock(stamp);
        }

        /** The methods of the views call those of the lock, except unlock(). */
        void view() throws Exception {
            for (Lock view : new Lock[] {asLock(), asLockOfBoth()}) {
                Tally.count(acquire, s);
                view.lock();
                release(view);
                Tally.count(acquire, s);
                view.lockInterruptibly();
                release(view);
                Tally.count(tries, s);
                Tally.check(view.tryLock());
                release(view);
                Tally.count(tries, s);
                Tally.check(view.tryLock(1, MINUTES));
                release(view);
                Tally.expectThrow(IllegalMonitorStateException.class, () -> release(view));
                Tally.expectThrow(UnsupportedOperationException.class, view::newCondition);
                Thread.currentThread().interrupt();
                interrupted(view::lockInterruptibly, acquireFails);
            }
        }

        private void release(Lock view) {
            Tally.count(release, s);
            view.unlock();
        }

        /** Four threads contend for the lock. */
        void crowd() throws InterruptedException {
            Thread[] threads = new Thread[4];
            for (int i = 0; i < threads.length; i++) {
                threads[i] = Tally.startThread("crowd-" + i, () -> {
                    for (int round = 0; round < 25; round++) {
                        Tally.count(acquire, s);
                        long stamp = acquire();
                        Thread.yield();
                        unlock(stamp);
                    }
                });
            }
            for (Thread thread : threads) {
                Tally.joinThread(thread);
            }
        }
    }

    private static final class Reading extends Side {
        Reading() {
            super(READ_LOCK, READ_LOCK_FAILS, READ_TRY, READ_TRY_FAILS, READ_UNLOCK);
        }

        @Override
        long acquire() {
            return s.readLock();
        }

        @Override
        long acquireInterruptibly() throws InterruptedException {
            return s.readLockInterruptibly();
        }

        @Override
        long tryAcquire() {
            return s.tryReadLock();
        }

        @Override
        long tryAcquire(long time, TimeUnit unit) throws InterruptedException {
            return s.tryReadLock(time, unit);
        }

        @Override
        void release(long stamp) {
            s.unlockRead(stamp);
        }

        @Override
        boolean tryRelease() {
            return s.tryUnlockRead();
        }

        @Override
        Lock asLock() {
            return s.asReadLock();
        }

        @Override
        Lock asLockOfBoth() {
            return s.asReadWriteLock().readLock();
        }
    }

    private static final class Writing extends Side {
        Writing() {
            super(WRITE_LOCK, WRITE_LOCK_FAILS, WRITE_TRY, WRITE_TRY_FAILS, WRITE_UNLOCK);
        }

        @Override
        long acquire() {
            return s.writeLock();
        }

        @Override
        long acquireInterruptibly() throws InterruptedException {
            return s.writeLockInterruptibly();
        }

        @Override
        long tryAcquire() {
            return s.tryWriteLock();
        }

        @Override
        long tryAcquire(long time, TimeUnit unit) throws InterruptedException {
            return s.tryWriteLock(time, unit);
        }

        @Override
        void release(long stamp) {
            s.unlockWrite(stamp);
        }

        @Override
        boolean tryRelease() {
            return s.tryUnlockWrite();
        }

        @Override
        Lock asLock() {
            return s.asWriteLock();
        }

        @Override
        Lock asLockOfBoth() {
            return s.asReadWriteLock().writeLock();
        }
    }

    private static void silent(StampedLock s) {
        Tally.check(s.validate(s.tryOptimisticRead()));
        long stamp = s.tryConvertToWriteLock(s.tryOptimisticRead());
        stamp = s.tryConvertToReadLock(stamp);
        stamp = s.tryConvertToWriteLock(stamp);
        Tally.check(s.isWriteLocked());
        stamp = s.tryConvertToOptimisticRead(stamp);
        Tally.check(s.validate(stamp) && !s.isWriteLocked() && !s.isReadLocked());
    }
}
