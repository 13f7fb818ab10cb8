package usecases;

import counted.Spelling;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Two threads contend for locks whose classes say nothing about the program, each lock at one line. A
 * lock of a class of the program is contended too. A further lock is only acquired while it is free.
 */
final class LockNames {
    private static final class Till {
    }

    /** Acquires a lock, holds it until the other thread waits for it, and returns its place. */
    private interface Use {
        String acquire() throws InterruptedException;
    }

    private static final int TIMES = 4;
    private static Thread[] pair; // the two threads that contend
    private static final Object plain = new Object();
    private static final int[] ints = new int[1];
    private static final Till till = new Till();
    private static final ReentrantLock lock = new ReentrantLock();
    private static final ReentrantLock quiet = new ReentrantLock();
    private static final ReentrantReadWriteLock shared = new ReentrantReadWriteLock();
    private static final Semaphore permits = new Semaphore(1);

    private static boolean isWaiting(Thread thread) {
        Thread.State state = thread.getState();
        return state == Thread.State.BLOCKED || state == Thread.State.WAITING;
    }

    /** Returns when the other thread waits for the lock, or has ended. */
    private static void hold() {
        for (Thread thread : pair) {
            while (thread != Thread.currentThread() && thread.getState() != Thread.State.TERMINATED
                    && !isWaiting(thread)) {
                Facts.sleep(1);
            }
        }
    }

    private static String enterPlain() {
        String place = Facts.here(); synchronized (plain) { hold(); }
        return place;
    }

    private static String enterInts() {
        String place = Facts.here(); synchronized (ints) { hold(); }
        return place;
    }

    private static String enterTill() {
        String place = Facts.here(); synchronized (till) { hold(); }
        return place;
    }

    private static String enterClass() {
        String place = Facts.here(); synchronized (Till.class) { hold(); }
        return place;
    }

    private static String acquireLock() {
        String place = Facts.here(); lock.lock();
        hold();
        lock.unlock();
        return place;
    }

    private static String acquireWriteLock() {
        String place = Facts.here(); shared.writeLock().lock();
        hold();
        shared.writeLock().unlock();
        return place;
    }

    private static String acquirePermit() throws InterruptedException {
        String place = Facts.here(); permits.acquire();
        hold();
        permits.release();
        return place;
    }

    private static void repeat(Use use) {
        try {
            for (int i = 0; i < TIMES; i++) {
                use.acquire();
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void contend(String name, Object object, Use use) throws Exception {
        pair = new Thread[] {new Thread(() -> repeat(use), "first"), new Thread(() -> repeat(use), "second")};
        for (Thread thread : pair) {
            thread.start();
        }
        Facts.join(pair);
        Facts.say(name, Spelling.hash(object));
        Facts.say(name + "-place", use.acquire());
    }

    public static void main(String[] args) throws Exception {
        // Initializes the classes that a stack of a thread needs. Otherwise both threads would wait for them.
        Facts.join(Facts.start("warm-up", Facts::here));
        contend("plain", plain, LockNames::enterPlain);
        contend("ints", ints, LockNames::enterInts);
        contend("till", till, LockNames::enterTill);
        contend("class", Till.class, LockNames::enterClass);
        contend("lock", lock, LockNames::acquireLock);
        contend("write", shared, LockNames::acquireWriteLock);
        contend("permit", permits, LockNames::acquirePermit);
        quiet.lock();
        quiet.unlock();
        Facts.say("quiet", Spelling.hash(quiet));
    }
}
