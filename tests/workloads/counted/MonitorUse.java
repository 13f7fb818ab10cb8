package counted;

import static counted.Call.MONITOR_ENTER;
import static counted.Call.MONITOR_ENTERED;
import static counted.Call.MONITOR_EXIT;
import static counted.Call.WAIT;

/** All uses of monitors, to be recorded with monitors=all,filter=counted.MonitorUse*. */
final class MonitorUse {
    private final Object one = new Object();
    private final Object two = new Object();

    public static void main(String[] args) throws Exception {
        Tally.runWorkload(() -> {
            MonitorUse use = new MonitorUse();
            Thread me = Thread.currentThread();
            for (Object lock : new Object[] {use, use.one, use.two, MonitorUse.class}) {
                Tally.countContention(lock, me);
            }
            for (int i = 0; i < 100; i++) {
                use.block();
                use.nested(i);
                use.method(3);
                all();
                Tally.expectThrow(IllegalStateException.class, use::thrownBlock);
                Tally.expectThrow(IllegalStateException.class, use::thrownMethod);
                Tally.check(use.returns() == 1);
            }
            use.waits();
            Tally.expectThrow(NullPointerException.class, () -> use.none(null));
        });
    }

    private static void enter(Object lock) {
        Tally.count(MONITOR_ENTER, lock);
    }

    private static void entered(Object lock) {
        Tally.count(MONITOR_ENTERED, lock);
    }

    private static void exit(Object lock) {
        Tally.count(MONITOR_EXIT, lock);
    }

    private void block() {
        enter(one);
        synchronized (one) {
            entered(one);
            exit(one);
        }
    }

    private void nested(int i) {
        enter(one);
        synchronized (one) {
            entered(one);
            enter(two);
            synchronized (two) {
                entered(two);
                if (i % 2 == 0) {
                    exit(two);
                    exit(one);
                    return;
                }
                exit(two);
            }
            enter(one);
            synchronized (one) {
                entered(one);
                exit(one);
            }
            exit(one);
        }
    }

    /** The first event of a synchronized method is that it has entered its monitor. */
    private synchronized void method(int depth) {
        entered(this);
        if (depth > 0) {
            method(depth - 1);
        }
        exit(this);
    }

    private static synchronized void all() {
        entered(MonitorUse.class);
        exit(MonitorUse.class);
    }

    private void thrownBlock() {
        enter(one);
        synchronized (one) {
            entered(one);
            exit(one);
            throw new IllegalStateException();
        }
    }

    private synchronized void thrownMethod() {
        entered(this);
        exit(this);
        throw new IllegalStateException();
    }

    private int returns() {
        enter(one);
        synchronized (one) {
            entered(one);
            exit(one);
            return 1;
        }
    }

    private void waits() throws InterruptedException {
        enter(one);
        synchronized (one) {
            entered(one);
            Tally.count(WAIT, one);
            one.wait(1);
            exit(one);
        }
    }

    /** Enters no monitor, because the JVM throws. */
    private void none(Object lock) {
        synchronized (lock) {
            throw new AssertionError();
        }
    }
}
