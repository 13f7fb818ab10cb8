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
 * Threads that are inside a call each, until they are released: its entry, before an agent came, is
 * in no account, and so its exit is not either. What they do after it counts.
 */
final class Residents {
    private final List<Thread> all = new ArrayList<>();
    private final Object awaited = new Object();
    private final Object held = new Object();
    private final Semaphore permits = new Semaphore(0);
    private final Thread holder = new Thread(this::hold, "holder");
    private Thread sleeper;
    private volatile boolean released;
    private volatile boolean about;

    void start() {
        startDaemon(holder);
        while (!about) {
            Tally.yieldBriefly();
        }
        resident("in wait", Thread.State.WAITING, this::await);
        resident("in,join \u00E9", Thread.State.WAITING, holder::join);
        resident("in\nacquire", Thread.State.WAITING, permits::acquire);
        resident("in synchronized", Thread.State.BLOCKED, () -> Contention.enter(held));
        sleeper = resident("in sleep", Thread.State.TIMED_WAITING, this::sleep);
    }

    void release() throws InterruptedException {
        Tally.countContention(held, holder);
        released = true;
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

    private Thread resident(String name, Thread.State state, Body call) {
        about = false;
        Thread thread = new Thread(() -> {
            about = true;
            Tally.keepFailure(call);
            goOn(new Object());
        }, name);
        all.add(thread);
        startDaemon(thread);
        while (!about || thread.getState() != state) {
            Tally.yieldBriefly();
        }
        return thread;
    }

    private static void startDaemon(Thread thread) {
        thread.setDaemon(true);
        thread.start();
    }

    private static void goOn(Object o) {
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
            about = true;
            while (!released) {
                Tally.yieldBriefly();
            }
        }
    }

    private void await() throws InterruptedException {
        synchronized (awaited) {
            while (!released) {
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
