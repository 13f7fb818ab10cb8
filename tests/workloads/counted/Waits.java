package counted;

import static counted.Call.NOTIFY;
import static counted.Call.NOTIFY_ALL;
import static counted.Call.WAIT;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.TimeUnit;

/** Every overload of Object.wait with every outcome; notify and notifyAll. */
final class Waits {
    public static void main(String[] args) throws Exception {
        Tally.runWorkload(() -> {
            timeOuts(new Object());
            receivers();
            exceptions(new Object());
            interrupts(new Object());
            indirect(new Object());
            notifications();
            crowd();
        });
    }

    private static void timeOuts(Object o) throws InterruptedException {
        synchronized (o) {
            for (int i = 0; i < 10; i++) {
                Tally.count(WAIT, o);
                o.wait(1);
                Tally.count(WAIT, o);
                o.wait(0, 1);
                Tally.count(WAIT, o);
                o.wait(1, 999_999);
            }
        }
        recursive(o, 5);
    }

    /** Object.wait releases a monitor completely, even if it was entered several times. */
    private static void recursive(Object o, int depth) throws InterruptedException {
        synchronized (o) {
            if (depth > 0) {
                recursive(o, depth - 1);
            } else {
                Tally.count(WAIT, o);
                o.wait(2);
            }
        }
    }

    /** Objects of several classes. */
    private static void receivers() throws InterruptedException {
        Object[] all = {
            new int[3], new String[0], "text", Waits.class, Thread.currentThread(), 1 << 20,
        };
        for (Object o : all) {
            synchronized (o) {
                Tally.count(WAIT, o);
                o.wait(1);
                Tally.count(NOTIFY, o);
                o.notify();
                Tally.count(NOTIFY_ALL, o);
                o.notifyAll();
            }
        }
    }

    private static void exceptions(Object o) {
        expectThrow(IllegalMonitorStateException.class, o, o::wait);
        expectThrow(IllegalMonitorStateException.class, o, () -> o.wait(1));
        expectThrow(IllegalMonitorStateException.class, o, () -> o.wait(1, 1));
        synchronized (o) {
            expectThrow(IllegalArgumentException.class, o, () -> o.wait(-1));
            expectThrow(IllegalArgumentException.class, o, () -> o.wait(-1, 0));
            expectThrow(IllegalArgumentException.class, o, () -> o.wait(0, -1));
            expectThrow(IllegalArgumentException.class, o, () -> o.wait(0, 1_000_000));
        }
        Tally.count(NOTIFY, o);
        Tally.expectThrow(IllegalMonitorStateException.class, o::notify);
        Tally.count(NOTIFY_ALL, o);
        Tally.expectThrow(IllegalMonitorStateException.class, o::notifyAll);
    }

    private static void expectThrow(Class<? extends Throwable> kind, Object o, Body wait) {
        Tally.count(WAIT, o);
        Tally.expectThrow(kind, wait);
    }

    private static void interrupts(Object o) throws InterruptedException {
        synchronized (o) {
            Thread.currentThread().interrupt();
            expectThrow(InterruptedException.class, o, o::wait);
            Thread.currentThread().interrupt();
            expectThrow(InterruptedException.class, o, () -> o.wait(60_000));
        }
        interruptedInside(Thread.State.WAITING, o, o::wait);
        interruptedInside(Thread.State.TIMED_WAITING, o, () -> o.wait(60_000));
        interruptedInside(Thread.State.TIMED_WAITING, o, () -> o.wait(60_000, 1));
    }

    private static void interruptedInside(Thread.State state, Object o, Body wait)
            throws InterruptedException {
        Thread waiter = Tally.startThread("interrupted", () -> {
            synchronized (o) {
                expectThrow(InterruptedException.class, o, wait);
            }
        });
        Tally.awaitState(waiter, state);
        waiter.interrupt();
        Tally.joinThread(waiter);
    }

    /** Calls by reflection, by a method handle and by another class of the JDK. */
    private static void indirect(Object o) throws Exception {
        MethodHandle handle = MethodHandles.lookup()
                .findVirtual(Object.class, "wait", MethodType.methodType(void.class, long.class));
        synchronized (o) {
            for (int i = 0; i < 20; i++) {
                Tally.count(WAIT, o);
                Newer.call(Object.class.getMethod("wait", long.class), o, 1L);
                Tally.count(NOTIFY, o);
                Newer.call(Object.class.getMethod("notify"), o);
            }
            Tally.count(WAIT, o);
            invoke(handle, o);
            Tally.count(WAIT, o);
            TimeUnit.MILLISECONDS.timedWait(o, 1);
        }
    }

    private static void invoke(MethodHandle handle, Object o) throws Exception {
        try {
            handle.invoke(o, 1L);
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Two threads take turns. The one that has to wait starts first, so that the number of waits is constant. */
    private static void notifications() throws InterruptedException {
        Turns turns = new Turns();
        Thread pong = Tally.startThread("pong", () -> turns.play(1, 50));
        while (pong.getState() != Thread.State.WAITING) {
            Thread.yield();
        }
        Thread ping = Tally.startThread("ping", () -> turns.play(0, 50));
        Tally.joinThread(ping);
        Tally.joinThread(pong);
    }

    private static final class Turns {
        private int turn;

        synchronized void play(int mine, int rounds) throws InterruptedException {
            for (int i = 0; i < rounds; i++) {
                while (turn % 2 != mine) {
                    Tally.count(WAIT, this);
                    wait();
                }
                turn++;
                Tally.count(NOTIFY, this);
                notify();
            }
        }
    }

    /** Three threads wait. notify wakes one, then notifyAll wakes the others. */
    private static void crowd() throws InterruptedException {
        Crowd crowd = new Crowd();
        Thread[] waiters = new Thread[3];
        for (int i = 0; i < waiters.length; i++) {
            waiters[i] = Tally.startThread("waiter-" + i, crowd::stay);
        }
        for (Thread waiter : waiters) {
            Tally.awaitState(waiter, Thread.State.WAITING);
        }
        crowd.admit(1, false);
        crowd.admit(2, true);
        for (Thread waiter : waiters) {
            Tally.joinThread(waiter);
        }
    }

    private static final class Crowd {
        private int admitted;

        synchronized void stay() throws InterruptedException {
            while (admitted == 0) {
                Tally.count(WAIT, this);
                wait();
            }
            admitted--;
        }

        synchronized void admit(int more, boolean all) {
            admitted += more;
            Tally.count(all ? NOTIFY_ALL : NOTIFY, this);
            if (all) {
                notifyAll();
            } else {
                notify();
            }
        }
    }
}
