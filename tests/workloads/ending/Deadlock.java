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
        Thread one = Tally.newThread("left", this::left);
        Thread two = Tally.newThread("right", this::right);
        Tally.countContention(left, one);
        Tally.countContention(right, two);
        one.start();
        two.start();
        untilBothHeld();
        Tally.awaitState(one, Thread.State.BLOCKED);
        Tally.awaitState(two, Thread.State.BLOCKED);
    }

    private void left() {
        synchronized (left) {
            Tally.countEntry(CONTEND, right);
            leftHeld = true;
            untilBothHeld();
            synchronized (right) {
                throw new AssertionError("no deadlock");
            }
        }
    }

    private void right() {
        synchronized (right) {
            Tally.countEntry(CONTEND, left);
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
