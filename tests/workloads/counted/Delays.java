package counted;

import static counted.Call.CONTEND;
import static counted.Call.JOIN;
import static counted.Call.METHOD;
import static counted.Call.NOTIFY;
import static counted.Call.RELEASE;
import static counted.Call.SLEEP;
import static counted.Call.TRY_ACQUIRE_FAILS;
import static counted.Call.WAIT;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Calls that are over at once and calls that take long, to be recorded with a threshold of {@link
 * #THRESHOLD} ms. Only the long ones are in the account, and what comes alone; "short N" says how
 * many others there were. What they take is measured: where a busy machine made one of those that
 * should be short take as long as the threshold, there is nothing to tell. {@code methods} as the
 * argument: calls of the methods step* of this class instead.
 */
final class Delays {
    private static final int THRESHOLD = 300;
    private static final int SHORT = 1;
    private static final int LONG = 700;

    private static final AtomicInteger brief = new AtomicInteger();
    private static volatile boolean late;

    private final int millis;

    private Delays(int millis) {
        this.millis = millis;
    }

    public static void main(String[] args) throws Exception {
        boolean methods = args.length > 0 && args[0].equals("methods");
        Tally.run(() -> {
            if (methods) {
                stepWithOthers();
            } else {
                calls();
            }
            Tally.say("short " + brief);
        });
        if (late) {
            System.out.println("skipped the machine is too busy to be quick");
        }
    }

    private static void calls() throws Exception {
        for (int i = 0; i < 20; i++) {
            new Delays(SHORT).all();
        }
        new Delays(LONG).all();
        new Delays(SHORT).all();
    }

    private void all() throws Exception {
        Object o = new Object();
        sleep();
        synchronized (o) {
            call(WAIT, o, () -> o.wait(millis));
            Tally.count(NOTIFY, o);
            o.notify();
        }
        Semaphore s = new Semaphore(0);
        call(TRY_ACQUIRE_FAILS, s, () -> s.tryAcquire(millis, TimeUnit.MILLISECONDS));
        Tally.count(RELEASE, s);
        s.release();
        Thread sleeper = Tally.start("sleeper", this::sleep);
        call(JOIN, sleeper, sleeper::join);
        block(Tally.lock(new Object(), Thread.currentThread()));
    }

    private void sleep() throws Exception {
        call(SLEEP, null, () -> Thread.sleep(millis));
    }

    /** A thread of its own blocks as long on a lock that the caller holds. */
    private void block(Object lock) throws Exception {
        Thread contender;
        synchronized (lock) {
            contender = Tally.start("contender",
                    () -> call(CONTEND, lock, () -> Contention.enter(lock)));
            Tally.until(contender, Thread.State.BLOCKED);
            long end = System.nanoTime() + millis * 1_000_000L;
            while (System.nanoTime() < end) {
                Tally.pause();
            }
        }
        while (contender.isAlive()) {
            Tally.pause();
        }
    }

    private void call(Call call, Object o, Body body) throws Exception {
        if (millis >= LONG) {
            Tally.count(call, o);
        }
        quick(body);
    }

    private void quick(Body body) throws Exception {
        long begin = System.nanoTime();
        body.run();
        if (millis < LONG) {
            brief.incrementAndGet();
            late |= System.nanoTime() - begin >= THRESHOLD * 1_000_000L;
        }
    }

    private static void stepWithOthers() throws Exception {
        Tally.enter(METHOD, null);
        for (int i = 0; i < 20; i++) {
            new Delays(SHORT).quick(Delays::stepShort);
        }
        stepLong();
        Tally.leave(METHOD, null);
    }

    private static void stepShort() {}

    private static void stepLong() throws Exception {
        Tally.enter(METHOD, null);
        new Delays(SHORT).quick(Delays::stepShort);
        new Delays(LONG).sleep();
        Tally.leave(METHOD, null);
    }
}
