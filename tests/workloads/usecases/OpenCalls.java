package usecases;

import counted.Tally;
import counted.Virtual;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Threads that are in calls before a recording begins: three deadlocks, and a thread in each sort of
 * wait. Arguments: "platform" or "virtual", and a folder. When the folder contains the file "go", the
 * program ends the waits one after the other; when it contains "end", the program ends.
 */
final class OpenCalls {
    private static final long BUSY_NS = 350_000_000; // several samples

    private static boolean isVirtual;
    private static final List<Wait> waits = new ArrayList<>();

    /** A thread with a number of its own, if the property own.numbers is true. */
    private static final class Numbered extends Thread {
        Numbered(Runnable run, String name) {
            super(run, name);
        }

        @Override
        public long getId() {
            System.out.println("getId was called");
            return 1;
        }
    }

    private static Thread makeThread(String name, Runnable run) {
        if (isVirtual) {
            return Virtual.unstarted(name, run);
        }
        return Boolean.getBoolean("own.numbers") ? new Numbered(run, name) : new Thread(run, name);
    }

    private static Thread start(String name, Runnable run) {
        Thread thread = makeThread(name, run);
        thread.start();
        return thread;
    }

    // --- deadlocks ------------------------------------------------------------------------------

    private static CountDownLatch met; // both threads of a ring own their first lock

    private static void meet() {
        CountDownLatch both = met;
        both.countDown();
        try {
            both.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void ownMonitor(Object own, Runnable next) {
        synchronized (own) {
            meet();
            next.run();
        }
    }

    private static void enter(Object monitor) {
        synchronized (monitor) {
            throw new AssertionError("no deadlock");
        }
    }

    private static void ownLock(ReentrantLock own, Runnable next) {
        own.lock();
        meet();
        next.run();
    }

    private static void makeRing(String name, Runnable one, Thread.State stateOne, Runnable two,
            Thread.State stateTwo) {
        met = new CountDownLatch(2);
        Thread first = start(name + "-1", one);
        Tally.awaitState(first, Thread.State.WAITING); // for the second thread
        Thread second = start(name + "-2", two);
        Tally.awaitState(second, stateTwo);
        Tally.awaitState(first, stateOne);
    }

    private static void makeRings() {
        Object a = new Object(), b = new StringBuilder(), c = new Object();
        ReentrantLock l = new ReentrantLock(), m = new ReentrantLock(true), n = new ReentrantLock();
        Thread.State blocked = Thread.State.BLOCKED, waiting = Thread.State.WAITING;
        makeRing("mon", () -> ownMonitor(a, () -> enter(b)), blocked,
                () -> ownMonitor(b, () -> enter(a)), blocked);
        makeRing("loc", () -> ownLock(l, m::lock), waiting, () -> ownLock(m, l::lock), waiting);
        makeRing("mix", () -> ownMonitor(c, n::lock), waiting, () -> ownLock(n, () -> enter(c)), blocked);
    }

    // --- waits ----------------------------------------------------------------------------------

    /** A thread in a call, and what ends the call. */
    private static final class Wait implements Runnable {
        final String name;
        final Callable<?> call;
        final Runnable release;
        final Thread thread;
        volatile long returnedNs;

        Wait(String name, Thread.State state, Callable<?> call, Runnable release) {
            this.name = name;
            this.call = call;
            this.release = release;
            this.thread = start(name, this);
            Tally.awaitState(thread, state);
            waits.add(this);
        }

        @Override
        public void run() {
            try {
                call.call();
            } catch (InterruptedException e) {
                // This ends Thread.sleep.
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            returnedNs = System.nanoTime();
            while (System.nanoTime() - returnedNs < BUSY_NS) {
                continue;
            }
        }

        void end() throws InterruptedException {
            long releasedNs = System.nanoTime();
            release.run();
            thread.join();
            Facts.say("released-" + name, releasedNs);
            Facts.say("returned-" + name, returnedNs);
        }
    }

    private static Object waitFor(Object monitor) throws InterruptedException {
        synchronized (monitor) {
            monitor.wait();
        }
        return null;
    }

    private static void notifyOn(Object monitor) {
        synchronized (monitor) {
            monitor.notify();
        }
    }

    private static Object hold(Object monitor, CountDownLatch latch) throws InterruptedException {
        synchronized (monitor) {
            latch.await();
        }
        return null;
    }

    private static Object contend(Object monitor) {
        synchronized (monitor) {
            return null;
        }
    }

    private static void makeWaits() throws InterruptedException {
        Thread.State waiting = Thread.State.WAITING;
        Object monitor = new Object(), contended = new Object();
        new Wait("waiter", waiting, () -> waitFor(monitor), () -> notifyOn(monitor));

        CountDownLatch life = new CountDownLatch(1), hold = new CountDownLatch(1);
        Thread joined = start("joined", () -> {
            try {
                life.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        Tally.awaitState(joined, waiting);
        new Wait("joiner", waiting, () -> { joined.join(); return null; }, life::countDown);

        Thread[] sleeper = new Thread[1];
        Wait sleep = new Wait("sleeper", Thread.State.TIMED_WAITING,
                () -> { Thread.sleep(3600_000); return null; }, () -> sleeper[0].interrupt());
        sleeper[0] = sleep.thread;

        LinkedBlockingQueue<String> queue = new LinkedBlockingQueue<>();
        new Wait("taker", waiting, queue::take, () -> queue.add("element"));
        Semaphore permits = new Semaphore(0);
        new Wait("permit", waiting, () -> { permits.acquire(); return null; }, permits::release);
        CompletableFuture<String> future = new CompletableFuture<>();
        new Wait("future", waiting, future::get, () -> future.complete("result"));
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        new Wait("locker", waiting, () -> { lock.lock(); return null; }, lock::unlock);

        Thread holder = start("holder", () -> {
            try {
                hold(contended, hold);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        Tally.awaitState(holder, waiting);
        new Wait("contender", Thread.State.BLOCKED, () -> contend(contended), hold::countDown);
    }

    // --- orders ---------------------------------------------------------------------------------

    private static void awaitFile(String folder, String name) {
        while (!new File(folder, name).exists()) {
            Facts.sleep(10);
        }
    }

    public static void main(String[] args) throws Exception {
        isVirtual = args[0].equals("virtual");
        makeRings();
        makeWaits();
        System.out.println("ready");
        awaitFile(args[1], "go");
        for (Wait wait : waits) {
            wait.end();
        }
        System.out.println("done");
        awaitFile(args[1], "end");
        System.exit(0);
    }
}
