package counted;

import static counted.Call.ACQUIRE;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Short and long calls, to be recorded with a threshold of {@link #THRESHOLD} ms. The account
 * contains the long calls, the wake-ups of threads in long calls, and other events that are not part of
 * a pair. "short N" is the number of short calls. If the machine is so busy that a short call takes as long as the threshold, the test is
 * skipped. With the argument {@code methods} the calls are those of the methods step* of this class.
 */
final class Delays {
    private static final int THRESHOLD = 300;
    private static final int SHORT = 1;
    private static final int LONG = 700;

    private static final AtomicInteger numShort = new AtomicInteger();
    private static volatile boolean isTooSlow;

    private final int millis;

    private Delays(int millis) {
        this.millis = millis;
    }

    public static void main(String[] args) throws Exception {
        boolean methods = args.length > 0 && args[0].equals("methods");
        Tally.runWorkload(() -> {
            if (methods) {
                stepWithOthers();
            } else {
                calls();
            }
            Tally.addLine("short " + numShort);
        });
        if (isTooSlow) {
            System.out.println("skipped the machine is too busy for short calls");
        }
    }

    private static void calls() throws Exception {
        for (int i = 0; i < 20; i++) {
            new Delays(SHORT).makeAllCalls();
        }
        new Delays(LONG).makeAllCalls();
        new Delays(SHORT).makeAllCalls();
    }

    private void makeAllCalls() throws Exception {
        Object o = new Object();
        sleep();
        synchronized (o) {
            call(WAIT, o, () -> o.wait(millis));
            o.notify(); // wakes nobody
        }
        wakeUp(new Object());
        Semaphore s = new Semaphore(0);
        call(TRY_ACQUIRE_FAILS, s, () -> s.tryAcquire(millis, TimeUnit.MILLISECONDS));
        s.release(); // nobody waits
        Thread sleeper = Tally.startThread("sleeper", this::sleep);
        call(JOIN, sleeper, sleeper::join);
        block(Tally.countContention(new Object(), Thread.currentThread()));
    }

    /** Ends a wait of a new thread after {@link #millis} ms. */
    private void wakeUp(Object o) throws Exception {
        Semaphore permits = new Semaphore(0);
        AtomicBoolean isReady = new AtomicBoolean();
        Thread waiter = Tally.startThread("waiter", () -> {
            call(ACQUIRE, permits, permits::acquire);
            synchronized (o) {
                isReady.set(true);
                call(WAIT, o, o::wait);
            }
        });
        Tally.awaitState(waiter, Thread.State.WAITING);
        pause();
        countWakeUp(RELEASE, permits);
        permits.release();
        while (!isReady.get()) {
            Tally.yieldBriefly();
        }
        Tally.awaitState(waiter, Thread.State.WAITING);
        pause();
        synchronized (o) {
            countWakeUp(NOTIFY, o);
            o.notify();
        }
        while (waiter.isAlive()) {
            Tally.yieldBriefly();
        }
    }

    private void countWakeUp(Call call, Object o) {
        if (millis >= LONG) {
            Tally.count(call, o);
        }
    }

    /** Lets {@link #millis} ms pass without a call that Orca records. */
    private void pause() {
        long end = System.nanoTime() + millis * 1_000_000L;
        while (System.nanoTime() < end) {
            Tally.yieldBriefly();
        }
    }

    private void sleep() throws Exception {
        call(SLEEP, null, () -> Thread.sleep(millis));
    }

    /** A new thread blocks for {@link #millis} ms on a monitor that the caller owns. */
    private void block(Object lock) throws Exception {
        Thread contender;
        synchronized (lock) {
            contender = Tally.startThread("contender",
                    () -> call(CONTEND, lock, () -> Contention.enter(lock)));
            Tally.awaitState(contender, Thread.State.BLOCKED);
            pause();
        }
        while (contender.isAlive()) {
            Tally.yieldBriefly();
        }
    }

    private void call(Call call, Object o, Body body) throws Exception {
        if (millis >= LONG) {
            Tally.count(call, o);
        }
        measure(body);
    }

    private void measure(Body body) throws Exception {
        long begin = System.nanoTime();
        body.run();
        if (millis < LONG) {
            numShort.incrementAndGet();
            isTooSlow |= System.nanoTime() - begin >= THRESHOLD * 1_000_000L;
        }
    }

    private static void stepWithOthers() throws Exception {
        Tally.countEntry(METHOD, null);
        for (int i = 0; i < 20; i++) {
            new Delays(SHORT).measure(Delays::stepShort);
        }
        stepLong();
        Tally.countExit(METHOD, null);
    }

    private static void stepShort() {}

    private static void stepLong() throws Exception {
        Tally.countEntry(METHOD, null);
        new Delays(SHORT).measure(Delays::stepShort);
        new Delays(LONG).sleep();
        Tally.countExit(METHOD, null);
    }
}
