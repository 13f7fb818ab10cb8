package counted;

import static counted.Call.LOCK;
import static counted.Call.LOCK_FAILS;
import static counted.Call.LOCK_TRY;
import static counted.Call.LOCK_TRY_FAILS;
import static counted.Call.UNLOCK;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** ReentrantLock: every form of acquisition with every outcome. */
final class Locks {
    public static void main(String[] args) throws Exception {
        Aside.startThread();
        Tally.runWorkload(() -> {
            for (boolean fair : new boolean[] {false, true}) {
                uncontended(new ReentrantLock(fair));
                reentrant(new ReentrantLock(fair));
                held(new ReentrantLock(fair));
                handedOver(new ReentrantLock(fair));
                interrupts(new ReentrantLock(fair));
                exceptions(new ReentrantLock(fair));
                crowd(new ReentrantLock(fair));
            }
            overridden(new Counted());
            indirect(new ReentrantLock());
        });
    }

    private static void lock(Lock lock) {
        Tally.count(LOCK, lock);
        lock.lock();
    }

    private static void unlock(Lock lock) {
        Tally.count(UNLOCK, lock);
        lock.unlock();
    }

    private static void uncontended(ReentrantLock lock) throws InterruptedException {
        for (int i = 0; i < 50; i++) {
            lock(lock);
            unlock(lock);
            Tally.count(LOCK, lock);
            lock.lockInterruptibly();
            unlock(lock);
            Tally.count(LOCK_TRY, lock);
            Tally.check(lock.tryLock());
            unlock(lock);
            Tally.count(LOCK_TRY, lock);
            Tally.check(lock.tryLock(1, MINUTES));
            unlock(lock);
            Tally.count(LOCK_TRY, lock);
            Tally.check(lock.tryLock(-1, MINUTES));
            unlock(lock);
            lock.isLocked();
            lock.hasQueuedThreads();
        }
    }

    private static void reentrant(ReentrantLock lock) throws InterruptedException {
        for (int i = 0; i < 10; i++) {
            lock(lock);
            Tally.count(LOCK, lock);
            lock.lockInterruptibly();
            Tally.count(LOCK_TRY, lock);
            Tally.check(lock.tryLock());
            Tally.count(LOCK_TRY, lock);
            Tally.check(lock.tryLock(1, MINUTES));
        }
        Tally.check(lock.getHoldCount() == 40);
        for (int i = 0; i < 40; i++) {
            unlock(lock);
        }
        Tally.check(!lock.isLocked());
    }

    private static void held(ReentrantLock lock) throws Exception {
        Tally.countContention(lock, Aside.getThread());
        Aside.runAndWait(lock::lock);
        for (int i = 0; i < 5; i++) {
            Tally.count(LOCK_TRY_FAILS, lock);
            Tally.check(!lock.tryLock());
            Tally.count(LOCK_TRY_FAILS, lock);
            Tally.check(!lock.tryLock(0, MINUTES));
            Tally.count(LOCK_TRY_FAILS, lock);
            Tally.check(!lock.tryLock(-1, MINUTES));
            Tally.count(LOCK_TRY_FAILS, lock);
            Tally.check(!lock.tryLock(1, MILLISECONDS));
        }
        Aside.runAndWait(lock::unlock);
    }

    /** The helper thread owns the lock until this thread waits for it. */
    private static void handedOver(ReentrantLock lock) throws Exception {
        Tally.countContention(lock, Aside.getThread());
        for (int i = 0; i < 5; i++) {
            taken(lock);
            lock(lock);
            unlock(lock);
            taken(lock);
            Tally.count(LOCK, lock);
            lock.lockInterruptibly();
            unlock(lock);
            taken(lock);
            Tally.count(LOCK_TRY, lock);
            Tally.check(lock.tryLock(1, MINUTES));
            unlock(lock);
        }
    }

    private static void taken(Lock lock) throws Exception {
        Aside.runAndWait(lock::lock);
        Aside.runWhenWaiting(lock::unlock);
    }

    private static void interrupts(ReentrantLock lock) throws Exception {
        Thread me = Thread.currentThread();
        me.interrupt();
        Tally.expectThrow(InterruptedException.class, LOCK_FAILS, lock, lock::lockInterruptibly);
        me.interrupt();
        Tally.expectThrow(InterruptedException.class, LOCK_TRY_FAILS, lock,
                () -> lock.tryLock(1, MINUTES));
        me.interrupt();
        lock(lock); // ignores the interrupt
        Tally.count(LOCK_TRY, lock);
        Tally.check(lock.tryLock() && Thread.interrupted());
        unlock(lock);
        unlock(lock);
        Aside.runAndWait(lock::lock);
        Aside.interruptWhenWaiting();
        Tally.expectThrow(InterruptedException.class, LOCK_FAILS, lock, lock::lockInterruptibly);
        Aside.interruptWhenWaiting();
        Tally.expectThrow(InterruptedException.class, LOCK_TRY_FAILS, lock,
                () -> lock.tryLock(1, MINUTES));
        Aside.runWhenWaiting(() -> {
            me.interrupt();
            lock.unlock();
        });
        lock(lock);
        Tally.check(Thread.interrupted());
        unlock(lock);
    }

    private static void exceptions(ReentrantLock lock) throws Exception {
        Tally.expectThrow(IllegalMonitorStateException.class, UNLOCK, lock, lock::unlock);
        Tally.expectThrow(NullPointerException.class, LOCK_TRY_FAILS, lock, () -> lock.tryLock(1, null));
        Aside.runAndWait(lock::lock);
        Tally.expectThrow(IllegalMonitorStateException.class, UNLOCK, lock, lock::unlock);
        Aside.runAndWait(lock::unlock);
        Tally.expectThrow(IllegalStateException.class, () -> {
            lock(lock);
            try {
                throw new IllegalStateException();
            } finally {
                unlock(lock);
            }
        });
    }

    /** Four threads contend for the lock. */
    private static void crowd(ReentrantLock lock) throws InterruptedException {
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = Tally.startThread("crowd-" + i, () -> {
                for (int round = 0; round < 50; round++) {
                    visit(lock);
                }
            });
        }
        for (Thread thread : threads) {
            Tally.joinThread(thread);
        }
    }

    private static void visit(ReentrantLock lock) throws InterruptedException {
        lock(lock);
        Thread.yield();
        unlock(lock);
        Tally.count(LOCK_TRY, lock);
        Tally.check(lock.tryLock(1, MINUTES));
        unlock(lock);
    }

    /** Overrides are methods of the program: they cause no events, but their calls of the lock do. */
    @SuppressWarnings("serial")
    private static final class Counted extends ReentrantLock {
        @Override
        public void lock() {
            Tally.count(LOCK, this);
            super.lock();
        }

        @Override
        public boolean tryLock() {
            Tally.count(LOCK_TRY, this);
            return super.tryLock();
        }

        @Override
        public void unlock() {
            Tally.count(UNLOCK, this);
            super.unlock();
        }
    }

    private static void overridden(ReentrantLock lock) {
        for (int i = 0; i < 10; i++) {
            lock.lock();
            Tally.check(lock.tryLock());
            lock.unlock();
            lock.unlock();
        }
    }

    /** Calls by reflection and by method handles. */
    private static void indirect(ReentrantLock lock) throws Exception {
        MethodHandle unlock = MethodHandles.lookup()
                .findVirtual(Lock.class, "unlock", MethodType.methodType(void.class));
        for (int i = 0; i < 20; i++) {
            Tally.count(LOCK, lock);
            Newer.call(Lock.class.getMethod("lock"), lock);
            Tally.count(UNLOCK, lock);
            invoke(unlock, lock);
        }
        Tally.count(UNLOCK, lock);
        Tally.expectThrow(IllegalMonitorStateException.class, () -> invoke(unlock, lock));
    }

    private static void invoke(MethodHandle handle, Lock lock) throws Exception {
        try {
            handle.invoke(lock);
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
