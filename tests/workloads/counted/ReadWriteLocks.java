package counted;

import static counted.Call.AWAIT;
import static counted.Call.AWAIT_FAILS;
import static counted.Call.READ_LOCK;
import static counted.Call.READ_LOCK_FAILS;
import static counted.Call.READ_TRY;
import static counted.Call.READ_TRY_FAILS;
import static counted.Call.READ_UNLOCK;
import static counted.Call.SIGNAL;
import static counted.Call.SIGNAL_ALL;
import static counted.Call.WRITE_LOCK;
import static counted.Call.WRITE_LOCK_FAILS;
import static counted.Call.WRITE_TRY;
import static counted.Call.WRITE_TRY_FAILS;
import static counted.Call.WRITE_UNLOCK;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Both locks of a ReentrantReadWriteLock. The object of their events is the ReentrantReadWriteLock. */
final class ReadWriteLocks {
    public static void main(String[] args) throws Exception {
        Aside.startThread();
        Tally.runWorkload(() -> {
            for (boolean fair : new boolean[] {false, true}) {
                for (boolean writing : new boolean[] {false, true}) {
                    Side side = new Side(fair, writing);
                    side.uncontended();
                    side.reentrant();
                    side.held();
                    side.handedOver();
                    side.interrupts();
                    side.exceptions();
                }
                downgrade(new ReentrantReadWriteLock(fair));
                conditions(new ReentrantReadWriteLock(fair));
                shared(new ReentrantReadWriteLock(fair));
                crowd(new ReentrantReadWriteLock(fair));
            }
            overridden(new ReentrantReadWriteLock());
        });
    }

    /** The read lock or the write lock, with its events. */
    private static final class Side {
        final ReentrantReadWriteLock whole;
        final Lock lock;
        final Call acquire;
        final Call acquireFails;
        final Call tries;
        final Call triesFails;
        final Call release;

        Side(boolean fair, boolean writing) {
            whole = new ReentrantReadWriteLock(fair);
            lock = writing ? whole.writeLock() : whole.readLock();
            acquire = writing ? WRITE_LOCK : READ_LOCK;
            acquireFails = writing ? WRITE_LOCK_FAILS : READ_LOCK_FAILS;
            tries = writing ? WRITE_TRY : READ_TRY;
            triesFails = writing ? WRITE_TRY_FAILS : READ_TRY_FAILS;
            release = writing ? WRITE_UNLOCK : READ_UNLOCK;
        }

        void lock() {
            Tally.count(acquire, whole);
            lock.lock();
        }

        void unlock() {
            Tally.count(release, whole);
            lock.unlock();
        }

        void uncontended() throws InterruptedException {
            for (int i = 0; i < 30; i++) {
                lock();
                unlock();
                Tally.count(acquire, whole);
                lock.lockInterruptibly();
                unlock();
                Tally.count(tries, whole);
                Tally.check(lock.tryLock());
                unlock();
                Tally.count(tries, whole);
                Tally.check(lock.tryLock(1, MINUTES));
                unlock();
            }
        }

        void reentrant() throws InterruptedException {
            for (int i = 0; i < 5; i++) {
                lock();
                Tally.count(acquire, whole);
                lock.lockInterruptibly();
                Tally.count(tries, whole);
                Tally.check(lock.tryLock());
                Tally.count(tries, whole);
                Tally.check(lock.tryLock(1, MINUTES));
            }
            for (int i = 0; i < 20; i++) {
                unlock();
            }
        }

        void held() throws Exception {
            Tally.countContention(whole, Aside.getThread());
            Aside.runAndWait(whole.writeLock()::lock);
            for (int i = 0; i < 3; i++) {
                Tally.count(triesFails, whole);
                Tally.check(!lock.tryLock());
                Tally.count(triesFails, whole);
                Tally.check(!lock.tryLock(0, MINUTES));
                Tally.count(triesFails, whole);
                Tally.check(!lock.tryLock(1, MILLISECONDS));
            }
            Aside.runAndWait(whole.writeLock()::unlock);
        }

        void handedOver() throws Exception {
            for (int i = 0; i < 3; i++) {
                lockAside();
                lock();
                unlock();
                lockAside();
                Tally.count(acquire, whole);
                lock.lockInterruptibly();
                unlock();
                lockAside();
                Tally.count(tries, whole);
                Tally.check(lock.tryLock(1, MINUTES));
                unlock();
            }
        }

        private void lockAside() throws Exception {
            Aside.runAndWait(whole.writeLock()::lock);
            Aside.runWhenWaiting(whole.writeLock()::unlock);
        }

        void interrupts() throws Exception {
            Thread.currentThread().interrupt();
            interrupted(lock::lockInterruptibly, acquireFails);
            Thread.currentThread().interrupt();
            interrupted(() -> lock.tryLock(1, MINUTES), triesFails);
            Aside.runAndWait(whole.writeLock()::lock);
            Aside.interruptWhenWaiting();
            interrupted(lock::lockInterruptibly, acquireFails);
            Aside.interruptWhenWaiting();
            interrupted(() -> lock.tryLock(1, MINUTES), triesFails);
            Aside.runAndWait(whole.writeLock()::unlock);
        }

        private void interrupted(Body body, Call call) {
            Tally.expectThrow(InterruptedException.class, call, whole, body);
        }

        void exceptions() {
            Tally.expectThrow(IllegalMonitorStateException.class, release, whole, lock::unlock);
            Tally.expectThrow(NullPointerException.class, triesFails, whole, () -> lock.tryLock(1, null));
        }
    }

    private static void downgrade(ReentrantReadWriteLock lock) {
        Tally.count(WRITE_LOCK, lock);
        lock.writeLock().lock();
        Tally.count(READ_LOCK, lock);
        lock.readLock().lock();
        Tally.count(WRITE_UNLOCK, lock);
        lock.writeLock().unlock();
        Tally.count(WRITE_TRY_FAILS, lock);
        Tally.check(!lock.writeLock().tryLock()); // a reader cannot upgrade
        Tally.count(READ_UNLOCK, lock);
        lock.readLock().unlock();
    }

    private static void conditions(ReentrantReadWriteLock lock) throws Exception {
        Tally.expectThrow(UnsupportedOperationException.class, lock.readLock()::newCondition);
        Condition c = lock.writeLock().newCondition();
        Tally.expectThrow(IllegalMonitorStateException.class, AWAIT_FAILS, c, c::await);
        Tally.expectThrow(IllegalMonitorStateException.class, SIGNAL, c, c::signal);
        Tally.count(WRITE_LOCK, lock);
        lock.writeLock().lock();
        Tally.count(AWAIT_FAILS, c);
        Tally.check(!c.await(1, MILLISECONDS));
        Aside.runWhenWaiting(() -> {
            lock.writeLock().lock();
            c.signal();
            lock.writeLock().unlock();
        });
        Tally.count(AWAIT, c);
        c.await();
        Tally.count(SIGNAL_ALL, c);
        c.signalAll();
        Tally.count(WRITE_UNLOCK, lock);
        lock.writeLock().unlock();
    }

    /** Readers exclude writers, but not each other. */
    private static void shared(ReentrantReadWriteLock lock) throws Exception {
        Aside.runAndWait(lock.readLock()::lock);
        Tally.count(READ_LOCK, lock);
        lock.readLock().lock();
        Tally.count(READ_UNLOCK, lock);
        lock.readLock().unlock();
        Tally.count(WRITE_TRY_FAILS, lock);
        Tally.check(!lock.writeLock().tryLock());
        Tally.count(WRITE_TRY_FAILS, lock);
        Tally.check(!lock.writeLock().tryLock(1, MILLISECONDS));
        Aside.runWhenWaiting(lock.readLock()::unlock);
        Tally.count(WRITE_LOCK, lock);
        lock.writeLock().lock();
        Tally.count(WRITE_UNLOCK, lock);
        lock.writeLock().unlock();
    }

    /** Three readers and a writer contend for the lock. */
    private static void crowd(ReentrantReadWriteLock lock) throws InterruptedException {
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            boolean writing = i == 0;
            threads[i] = Tally.startThread("crowd-" + i, () -> {
                for (int round = 0; round < 30; round++) {
                    visit(lock, writing);
                }
            });
        }
        for (Thread thread : threads) {
            Tally.joinThread(thread);
        }
    }

    private static void visit(ReentrantReadWriteLock whole, boolean writing) {
        Lock lock = writing ? whole.writeLock() : whole.readLock();
        Tally.count(writing ? WRITE_LOCK : READ_LOCK, whole);
        lock.lock();
        Thread.yield();
        Tally.count(writing ? WRITE_UNLOCK : READ_UNLOCK, whole);
        lock.unlock();
    }

    /** Subclasses of the locks. Their overrides cause no events, but their calls of the locks do. */
    private static void overridden(ReentrantReadWriteLock lock) {
        Reading reading = new Reading(lock);
        Writing writing = new Writing(lock);
        for (int i = 0; i < 5; i++) {
            reading.lock();
            Tally.count(READ_UNLOCK, lock);
            reading.unlock();
            Tally.count(WRITE_LOCK, lock);
            writing.lock();
            writing.unlock();
        }
    }

    @SuppressWarnings("serial")
    private static final class Reading extends ReentrantReadWriteLock.ReadLock {
        private final ReentrantReadWriteLock whole;

        Reading(ReentrantReadWriteLock whole) {
            super(whole);
            this.whole = whole;
        }

        @Override
        public void lock() {
            Tally.count(READ_LOCK, whole);
            super.lock();
        }
    }

    @SuppressWarnings("serial")
    private static final class Writing extends ReentrantReadWriteLock.WriteLock {
        private final ReentrantReadWriteLock whole;

        Writing(ReentrantReadWriteLock whole) {
            super(whole);
            this.whole = whole;
        }

        @Override
        public void unlock() {
            Tally.count(WRITE_UNLOCK, whole);
            super.unlock();
        }
    }
}
