package usecases;

import counted.Spelling;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Threads wait for a lock or a permit. The program measures by itself for how long one was free while
 * they waited: from just before each release to just after the next acquisition.
 */
final class HandOff {
    private static final int TIMES = 40;

    /** What is guarded, and how threads enter and leave it. */
    interface Guard {
        void enter() throws InterruptedException;

        void leave();
    }

    private static final class Step {
        final long time;
        final int waiting;
        final int free;

        Step(long time, int waiting, int free) {
            this.time = time;
            this.waiting = waiting;
            this.free = free;
        }
    }

    private static volatile boolean done;
    private static volatile long sink;

    private static void spin(long micros) {
        long end = System.nanoTime() + micros * 1000, sum = 0;
        while (System.nanoTime() < end) {
            sum++;
        }
        sink = sum;
    }

    // --- accounting --------------------------------------------------------------------------------

    private static List<Step> use(Guard guard, Runnable inside, Runnable outside) {
        List<Step> steps = new ArrayList<>();
        try {
            for (int i = 0; i < TIMES; i++) {
                long begin = System.nanoTime();
                guard.enter();
                steps.add(new Step(begin, +1, 0));
                steps.add(new Step(System.nanoTime(), -1, -1));
                inside.run();
                steps.add(new Step(System.nanoTime(), 0, +1));
                guard.leave();
                outside.run();
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return steps;
    }

    /** Says how long threads waited, and how long they waited while a permit was free. */
    private static void account(List<Step> steps, int permits) {
        steps.sort((a, b) -> Long.compare(a.time, b.time));
        long waited = 0, handoff = 0, last = steps.get(0).time;
        int waiting = 0, free = permits;
        for (Step step : steps) {
            waited += waiting * (step.time - last);
            handoff += free > 0 ? waiting * (step.time - last) : 0;
            last = step.time;
            waiting += step.waiting;
            free += step.free;
        }
        Facts.say("waited", waited);
        Facts.say("handoff", handoff);
    }

    private static void run(int threads, int permits, Guard guard, Runnable inside, Runnable outside)
            throws Exception {
        List<Step> all = new ArrayList<>();
        Thread[] workers = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            workers[i] = Facts.start("worker-" + i, () -> {
                List<Step> own = use(guard, inside, outside);
                synchronized (all) {
                    all.addAll(own);
                }
            });
        }
        Facts.join(workers);
        account(all, permits);
    }

    private static Guard guardBy(ReentrantLock lock) {
        return new Guard() {
            @Override
            public void enter() {
                lock.lock();
            }

            @Override
            public void leave() {
                lock.unlock();
            }
        };
    }

    private static Guard guardBy(Semaphore semaphore) {
        return new Guard() {
            @Override
            public void enter() throws InterruptedException {
                semaphore.acquire();
            }

            @Override
            public void leave() {
                semaphore.release();
            }
        };
    }

    /** More threads that compute than there are CPUs: a woken thread waits for a CPU. */
    private static Thread[] starve() {
        Thread[] burners = new Thread[3 * Runtime.getRuntime().availableProcessors()];
        for (int i = 0; i < burners.length; i++) {
            burners[i] = Facts.start("burner-" + i, () -> {
                while (!done) {
                    spin(1000);
                }
            });
        }
        return burners;
    }

    // --- the location of an owner ------------------------------------------------------------------

    private static final Object monitor = new Object();

    private static void sleepInside() throws InterruptedException {
        Thread.sleep(15);
    }

    private static void sleepOutside() throws InterruptedException {
        Thread.sleep(5);
    }

    private static void workOutside() {
        spin(5000);
    }

    private static void hold() throws InterruptedException {
        synchronized (monitor) {
            sleepInside();
        }
    }

    private static void own() {
        try {
            for (int i = 0; i < TIMES; i++) {
                hold();
                sleepOutside();
                hold();
                workOutside();
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        done = true;
    }

    private static void visit() {
        while (!done) {
            synchronized (monitor) {
                spin(200);
            }
            Facts.sleep(1);
        }
    }

    private static void locate() throws Exception {
        Facts.join(Facts.start("owner", HandOff::own), Facts.start("visitor-1", HandOff::visit),
                Facts.start("visitor-2", HandOff::visit));
        Facts.say("object", Spelling.hash(monitor));
    }

    // --- the cases ---------------------------------------------------------------------------------

    public static void main(String[] args) throws Exception {
        ReentrantLock lock = new ReentrantLock(args[0].equals("lock"));
        Semaphore permit = new Semaphore(1, true);
        Semaphore pool = new Semaphore(2, true);
        switch (args[0]) {
            case "place":
                locate();
                break;
            case "lock":
                Thread[] burners = starve();
                run(4, 1, guardBy(lock), () -> spin(300), () -> spin(100));
                Facts.say("object", Spelling.hash(lock));
                done = true;
                Facts.join(burners);
                break;
            case "permit":
                Thread[] others = starve();
                run(4, 1, guardBy(permit), () -> spin(300), () -> spin(100));
                Facts.say("object", Spelling.hash(permit));
                done = true;
                Facts.join(others);
                break;
            case "pool": // too small
                run(6, 2, guardBy(pool), () -> Facts.sleep(5), () -> { });
                Facts.say("object", Spelling.hash(pool));
                break;
            case "greedy": // each thread gets the lock again before a waiter runs
                run(3, 1, guardBy(lock), () -> Facts.sleep(5), () -> { });
                Facts.say("object", Spelling.hash(lock));
                break;
            case "drained": // permits of earlier releases are thrown away; later ones are waited for
                Semaphore signal = new Semaphore(0);
                for (int i = 0; i < TIMES; i++) {
                    signal.release();
                    signal.release();
                    signal.drainPermits();
                    Thread later = Facts.start("later-" + i, () -> {
                        Facts.sleep(10);
                        signal.release();
                    });
                    signal.acquire();
                    later.join();
                }
                Facts.say("object", Spelling.hash(signal));
                break;
            default:
                throw new AssertionError(args[0]);
        }
    }
}
