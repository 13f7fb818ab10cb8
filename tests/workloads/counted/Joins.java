package counted;

import static counted.Call.JOIN;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Every overload of Thread.join with every outcome. The wait inside join is no event. */
final class Joins {
    private static final Method OF_DURATION = Newer.find(Thread.class, "join", Duration.class);

    public static void main(String[] args) throws Exception {
        Tally.runWorkload(() -> {
            Thread napper = Tally.startThread("napper", Joins::yieldUntilInterrupted);
            timeOuts(napper);
            exceptions(napper);
            interrupts(napper);
            napper.interrupt();
            Tally.joinThread(napper);
            finished(napper);
            finished(new Thread("never started"));
            quick();
            self();
            indirect();
        });
    }

    private static void yieldUntilInterrupted() {
        while (!Thread.currentThread().isInterrupted()) {
            Tally.yieldBriefly();
        }
    }

    private static void timeOuts(Thread t) throws Exception {
        for (int i = 0; i < 5; i++) {
            Tally.count(JOIN, t);
            t.join(1);
            Tally.count(JOIN, t);
            t.join(0, 1);
            Tally.count(JOIN, t);
            t.join(1, 999_999);
        }
        if (OF_DURATION != null) {
            Tally.count(JOIN, t);
            Newer.call(OF_DURATION, t, Duration.ofMillis(2));
            Tally.count(JOIN, t);
            Newer.call(OF_DURATION, t, Duration.ofMillis(-2));
        }
        Tally.count(JOIN, t);
        TimeUnit.MILLISECONDS.timedJoin(t, 1);
    }

    private static void exceptions(Thread t) {
        expectThrow(IllegalArgumentException.class, t, () -> t.join(-1));
        expectThrow(IllegalArgumentException.class, t, () -> t.join(-1, 0));
        expectThrow(IllegalArgumentException.class, t, () -> t.join(0, -1));
        expectThrow(IllegalArgumentException.class, t, () -> t.join(0, 1_000_000));
        if (OF_DURATION != null) {
            Thread fresh = new Thread("never started");
            expectThrow(IllegalThreadStateException.class, fresh,
                    () -> Newer.call(OF_DURATION, fresh, Duration.ofMillis(1)));
            expectThrow(NullPointerException.class, t,
                    () -> Newer.call(OF_DURATION, t, (Duration) null));
        }
    }

    private static void expectThrow(Class<? extends Throwable> kind, Thread t, Body join) {
        Tally.count(JOIN, t);
        Tally.expectThrow(kind, join);
    }

    private static void interrupts(Thread t) throws InterruptedException {
        Thread.currentThread().interrupt();
        expectThrow(InterruptedException.class, t, t::join);
        Thread joiner = Tally.startThread("joiner", () -> expectThrow(InterruptedException.class, t, t::join));
        Tally.awaitState(joiner, Thread.State.WAITING);
        joiner.interrupt();
        Tally.joinThread(joiner);
    }

    private static void finished(Thread t) throws InterruptedException {
        Tally.joinThread(t);
        Tally.count(JOIN, t);
        t.join(60_000);
        Tally.count(JOIN, t);
        t.join(60_000, 1);
    }

    /** The joined thread ends at about the time of the join. */
    private static void quick() throws InterruptedException {
        for (int i = 0; i < 50; i++) {
            Tally.joinThread(Tally.startThread("quick", () -> {}));
        }
    }

    private static void self() throws InterruptedException {
        Thread me = Thread.currentThread();
        Tally.count(JOIN, me);
        me.join(2);
    }

    /** Two threads join the same thread, one of them by reflection. */
    private static void indirect() throws Exception {
        Thread napper = Tally.startThread("napper", Joins::yieldUntilInterrupted);
        Method join = Thread.class.getMethod("join", long.class);
        Thread one = Tally.startThread("joiner-1", () -> Tally.joinThread(napper));
        Thread two = Tally.startThread("joiner-2", () -> {
            Tally.count(JOIN, napper);
            Newer.call(join, napper, 60_000L);
        });
        Tally.awaitState(one, Thread.State.WAITING);
        Tally.awaitState(two, Thread.State.TIMED_WAITING);
        napper.interrupt();
        Tally.joinThread(one);
        Tally.joinThread(two);
    }
}
