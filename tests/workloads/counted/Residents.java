package counted;

import static counted.Call.BEGIN;
import static counted.Call.END;
import static counted.Call.NOTIFY;
import static counted.Call.NOTIFY_ALL;
import static counted.Call.RELEASE;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * Threads that each stay inside a call until they are released. The agent is loaded after the entry
 * of these calls, so neither their entry nor their exit is in the account. Later calls are counted.
 */
final class Residents {
    private final List<Thread> all = new ArrayList<>();
    private final Object awaited = new Object();
    private final Object held = new Object();
    private final Semaphore permits = new Semaphore(0);
    private final Thread holder = new Thread(this::hold, "holder");
    private Thread sleeper;
    private volatile boolean isReleased;
    private volatile boolean isReady;

    void start() {
        startDaemon(holder);
        while (!isReady) {
            Tally.yieldBriefly();
        }
        startResident("in wait", Thread.State.WAITING, this::await);
        startResident("in,join \u00E9", Thread.State.WAITING, holder::join);
        startResident("in\nacquire", Thread.State.WAITING, permits::acquire);
        startResident("in synchronized", Thread.State.BLOCKED, () -> Contention.enter(held));
        sleeper = startResident("in sleep", Thread.State.TIMED_WAITING, this::sleep);
    }

    void release() throws InterruptedException {
        Tally.countContention(held, holder);
        isReleased = true;
        Tally.count(RELEASE, permits);
        permits.release();
        sleeper.interrupt();
        synchronized (awaited) {
            Tally.count(NOTIFY_ALL, awaited);
            awaited.notifyAll();
        }
        for (Thread thread : all) {
            while (thread.isAlive()) {
                Tally.yieldBriefly();
            }
        }
    }

    private Thread startResident(String name, Thread.State state, Body call) {
        isReady = false;
        Thread thread = new Thread(() -> {
            isReady = true;
            Tally.keepFailure(call);
            makeCalls(new Object());
        }, name);
        all.add(thread);
        startDaemon(thread);
        while (!isReady || thread.getState() != state) {
            Tally.yieldBriefly();
        }
        return thread;
    }

    private static void startDaemon(Thread thread) {
        thread.setDaemon(true);
        thread.start();
    }

    private static void makeCalls(Object o) {
        Tally.addThread(Thread.currentThread());
        Tally.count(BEGIN, null);
        synchronized (o) {
            Tally.count(NOTIFY, o);
            o.notify();
        }
        Tally.count(END, null);
    }

    private void hold() {
        synchronized (held) {
            isReady = true;
            while (!isReleased) {
                Tally.yieldBriefly();
            }
        }
    }

    private void await() throws InterruptedException {
        synchronized (awaited) {
            while (!isReleased) {
                awaited.wait();
            }
        }
    }

    private void sleep() {
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException e) {
            return;
        }
        throw new AssertionError("slept for ever");
    }
}
