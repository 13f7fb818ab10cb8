package counted;

import static counted.Call.ACQUIRE;
import static counted.Call.NOTIFY;
import static counted.Call.RELEASE;
import static counted.Call.SLEEP;
import static counted.Call.START;
import static counted.Call.WAIT;

import java.lang.reflect.Method;
import java.util.concurrent.Semaphore;

/** Virtual threads, if the JDK has them. Uses reflection, so that older JDKs compile it. */
public final class Virtual {
    private static final Method OF_VIRTUAL = Newer.find(Thread.class, "ofVirtual");

    public static void main(String[] args) throws Exception {
        if (!areSupported()) {
            System.out.println("skipped this JDK has no virtual threads");
            return;
        }
        Tally.runWorkload(() -> {
            alone();
            turns();
            porters();
            contention();
        });
    }

    /**
     * Returns whether this JDK supports virtual threads; JDK 19 and 20 do only with a flag. Call it in
     * main: it makes a virtual thread, so that the JDK starts its helper threads before the account
     * starts.
     */
    public static boolean areSupported() {
        try {
            make("first", () -> {});
            return true;
        } catch (Exception e) {
            return false;
        }
    }

    public static Thread unstarted(String name, Runnable runnable) {
        try {
            return make(name, runnable);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static Thread make(String name, Runnable runnable) throws Exception {
        if (OF_VIRTUAL == null) {
            throw new NoSuchMethodException("Thread.ofVirtual");
        }
        Object builder = Newer.call(OF_VIRTUAL, null);
        Class<?> type = Class.forName("java.lang.Thread$Builder");
        Newer.call(type.getMethod("name", String.class), builder, name);
        Method unstarted = type.getMethod("unstarted", Runnable.class);
        return (Thread) Newer.call(unstarted, builder, runnable);
    }

    static Thread start(String name, Body body) throws Exception {
        Thread thread = Tally.addThread(unstarted(name, Tally.countedRunnable(body)));
        Tally.count(START, thread);
        thread.start();
        return thread;
    }

    private static void alone() throws Exception {
        for (int i = 0; i < 20; i++) {
            Tally.joinThread(start("alone-" + i, Virtual::makeCalls));
        }
    }

    private static void makeCalls() throws InterruptedException {
        Object o = new Object();
        Tally.count(SLEEP, null);
        Thread.sleep(1);
        Tally.count(SLEEP, null);
        Thread.sleep(0, 300_000);
        synchronized (o) {
            Tally.count(WAIT, o);
            o.wait(1);
            Tally.count(WAIT, o);
            o.wait(0, 5);
        }
        Tally.count(WAIT, o);
        Tally.expectThrow(IllegalMonitorStateException.class, () -> o.wait(1));
        Tally.count(SLEEP, null);
        Tally.expectThrow(IllegalArgumentException.class, () -> Thread.sleep(-1));
    }

    /** Two virtual threads take turns. */
    private static void turns() throws Exception {
        Turns turns = new Turns();
        Thread ping = start("ping", () -> turns.play(0, 30));
        Thread pong = start("pong", () -> turns.play(1, 30));
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

    private static void porters() throws Exception {
        Semaphore s = new Semaphore(2);
        Thread[] porters = new Thread[10];
        for (int i = 0; i < porters.length; i++) {
            porters[i] = start("porter-" + i, () -> carry(s));
        }
        for (Thread porter : porters) {
            Tally.joinThread(porter);
        }
    }

    private static void carry(Semaphore s) throws InterruptedException {
        for (int round = 0; round < 5; round++) {
            Tally.count(ACQUIRE, s);
            s.acquire();
            Tally.yieldBriefly();
            Tally.count(RELEASE, s);
            s.release();
        }
    }

    /** Contention between a platform thread and a virtual thread, and between two virtual threads. */
    private static void contention() throws Exception {
        for (int i = 0; i < 5; i++) {
            blockOn(Virtual::start);
            Tally.joinThread(start("holder", () -> {
                blockOn(Tally::startThread);
                blockOn(Virtual::start);
            }));
        }
    }

    private static void blockOn(Contention.Starter starter) throws Exception {
        Object lock = Tally.countContention(new Object(), Thread.currentThread());
        Contention.blockOnce(lock, () -> Contention.enter(lock), starter);
    }
}
