package counted;

import static counted.Call.START;

/** Thread.start with every outcome. The entry of the call is the event. */
final class Starts {
    /** Larger than the address space. */
    private static final long HUGE_STACK = 1L << 46;

    public static void main(String[] args) throws Exception {
        Tally.runWorkload(() -> {
            twice();
            overridden();
            outOfMemory();
            nested(5);
        });
    }

    private static void twice() throws InterruptedException {
        Thread t = Tally.startThread("twice", () -> {
            while (!Thread.currentThread().isInterrupted()) {
                Tally.yieldBriefly();
            }
        });
        Tally.count(START, t);
        Tally.expectThrow(IllegalThreadStateException.class, t::start);
        t.interrupt();
        Tally.joinThread(t);
        Tally.count(START, t);
        Tally.expectThrow(IllegalThreadStateException.class, t::start);
    }

    /** An override is a method of the program: it causes no event, but its calls of the superclass do. */
    private static final class Late extends Thread {
        Late(Body body) {
            super(Tally.countedRunnable(body), "late");
        }

        @Override
        public synchronized void start() {
            Tally.count(START, this);
            super.start();
        }
    }

    private static void overridden() throws InterruptedException {
        for (int i = 0; i < 5; i++) {
            Late late = Tally.addThread(new Late(() -> {}));
            late.start();
            Tally.joinThread(late);
        }
    }

    private static void outOfMemory() {
        for (int i = 0; i < 3; i++) {
            Thread t = Tally.addThread(new Thread(null, Tally.countedRunnable(() -> {}), "too big", HUGE_STACK));
            Tally.count(START, t);
            Tally.expectThrow(OutOfMemoryError.class, t::start);
        }
    }

    private static void nested(int depth) throws InterruptedException {
        if (depth > 0) {
            Tally.joinThread(Tally.startThread("nested-" + depth, () -> nested(depth - 1)));
        }
    }
}
