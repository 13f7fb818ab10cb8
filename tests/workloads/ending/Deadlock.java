package ending;

import static counted.Call.CONTEND;

import counted.Tally;

/** Two threads, each of which holds the lock that the other one wants. */
final class Deadlock {
    private final Object left = new Object();
    private final Object right = new Object();
    private volatile boolean leftHeld;
    private volatile boolean rightHeld;

    /** Returns when the two are stuck. */
    void make() {
        Thread one = Tally.thread("left", this::left);
        Thread two = Tally.thread("right", this::right);
        Tally.lock(left, one);
        Tally.lock(right, two);
        one.start();
        two.start();
        untilBothHeld();
        Tally.until(one, Thread.State.BLOCKED);
        Tally.until(two, Thread.State.BLOCKED);
    }

    private void left() {
        synchronized (left) {
            Tally.enter(CONTEND, right);
            leftHeld = true;
            untilBothHeld();
            synchronized (right) {
                throw new AssertionError("no deadlock");
            }
        }
    }

    private void right() {
        synchronized (right) {
            Tally.enter(CONTEND, left);
            rightHeld = true;
            untilBothHeld();
            synchronized (left) {
                throw new AssertionError("no deadlock");
            }
        }
    }

    private void untilBothHeld() {
        while (!leftHeld || !rightHeld) {
            Thread.yield();
        }
    }
}
