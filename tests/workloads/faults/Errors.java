package faults;

import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Tracked methods, and calls of locks, that end with OutOfMemoryError or StackOverflowError. Prints
 * "fail CALLS", "dive CALLS" and "succeed CALLS": how often each tracked method was called, and
 * "permits CALLS", how often the permit was acquired and released.
 */
public final class Errors {
    private static final int ROUNDS = 200;

    private static final Semaphore semaphore = new Semaphore(1);
    private static final ReentrantLock lock = new ReentrantLock();
    private static volatile Object kept;
    private static int fails;
    private static int dives;
    private static int successes;
    private static int permits;

    private Errors() {}

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            failWithLocks();
            overflow();
            successes++;
            succeed();
        }
        if (lock.isLocked() || semaphore.availablePermits() != 1) {
            throw new AssertionError("a lock is held");
        }
        System.out.println("fail " + fails);
        System.out.println("dive " + dives);
        System.out.println("succeed " + successes);
        System.out.println("permits " + permits);
    }

    /** The error passes a tracked method, and code that holds a lock and a permit. */
    private static void failWithLocks() throws InterruptedException {
        permits++;
        semaphore.acquire();
        lock.lock();
        try {
            fails++;
            fail();
            throw new AssertionError("there is memory");
        } catch (OutOfMemoryError e) {
            kept = null;
        } finally {
            lock.unlock();
            semaphore.release();
        }
    }

    private static void overflow() {
        try {
            descend();
            throw new AssertionError("the stack has no end");
        } catch (StackOverflowError e) {
            kept = null;
        }
    }

    /** Overflows the stack above a tracked method. */
    private static void descend() {
        dives++;
        dive();
    }

    static void dive() {
        recurse(0);
    }

    private static int recurse(int depth) {
        return recurse(depth + 1) + 1;
    }

    static void fail() {
        kept = new long[Integer.MAX_VALUE - 8];
    }

    static void succeed() {
        kept = null;
    }
}
