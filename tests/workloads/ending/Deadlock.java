package ending;

import static counted.Call.CONTEND;

import counted.Tally;

/** A deadlock of two threads: each owns the monitor that the other one waits for. */
final class Deadlock {
    private final Object left = new Object();
    private final Object right = new Object();
    private volatile boolean isLeftHeld;
    private volatile boolean isRightHeld;

    /** Starts the threads, and returns when both are blocked. */
    void create() {
        Thread one = Tally.newThread("left", this::lockLeftFirst);
        Thread two = Tally.newThread("right", this::lockRightFirst);
        Tally.countContention(left, one);
        Tally.countContention(right, two);
        one.start();
        two.start();
        awaitBothHeld();
        Tally.awaitState(one, Thread.State.BLOCKED);
        Tally.awaitState(two, Thread.State.BLOCKED);
    }

    private void lockLeftFirst() {
        synchronized (left) {
            Tally.countEntry(CONTEND, right);
            isLeftHeld = true;
            awaitBothHeld();
            synchronized (right) {
                throw new AssertionError("no deadlock");
            }
        }
    }

    private void lockRightFirst() {
        synchronized (right) {
            Tally.countEntry(CONTEND, left);
            isRightHeld = true;
            awaitBothHeld();
            synchronized (left) {
                throw new AssertionError("no deadlock");
            }
        }
    }

    private void awaitBothHeld() {
        while (!isLeftHeld || !isRightHeld) {
            Thread.yield();
        }
    }
}
