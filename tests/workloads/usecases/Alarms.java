package usecases;

import counted.Virtual;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Does what a trigger waits for, and says when: "AT nanoTime", the moment from which on it is so. Arguments: what to do,
 * for how many milliseconds or until which file exists, and "virtual" if its threads shall be virtual. At the end the JVM
 * exits. Until the file exists, the thread "free" also acquires a lock that no other thread wants.
 */
final class Alarms {
    private static final Object LEFT = new Object();
    private static final Object RIGHT = new Object();
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final ReentrantLock FREE = new ReentrantLock();
    private static volatile boolean isDone;
    private static volatile long spins;
    private static boolean isVirtual;

    public static void main(String[] args) throws Exception {
        isVirtual = args.length > 2;
        switch (args[0]) {
            case "monitors":
                ring(() -> enter(LEFT, () -> enter(RIGHT, () -> {})), () -> enter(RIGHT, () -> enter(LEFT, () -> {})));
                break;
            case "mixed":
                ring(() -> lock(() -> enter(RIGHT, () -> {})), () -> enter(RIGHT, () -> lock(() -> {})));
                break;
            case "blocked":
                start("holder", () -> lock(Alarms::sleepToTheEnd));
                Thread.sleep(200);
                start("waiter", () -> lock(() -> {}));
                break;
            case "crowd":
                for (int i = 0; i < 3; i++) {
                    start("worker", Alarms::workInTurns);
                }
                break;
            case "burn":
                for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
                    start("burner", Alarms::burn);
                }
                break;
            case "method":
                start("worker", Alarms::work);
                break;
            case "methods":
                start("worker", Alarms::workOften);
                break;
            case "quiet":
                start("quiet", Alarms::workAlone);
                break;
            default:
                throw new IllegalArgumentException(args[0]);
        }
        Thread.sleep(100);
        System.out.println("AT " + System.nanoTime());
        System.out.flush();
        if (args[1].matches("[0-9]+")) {
            Thread.sleep(Long.parseLong(args[1]));
        } else {
            awaitFile(Paths.get(args[1]));
        }
        isDone = true;
        System.exit(0);
    }

    private static void awaitFile(Path end) throws Exception {
        Thread free = new Thread(Alarms::lockFree, "free");
        free.setDaemon(true);
        free.start();
        while (!Files.exists(end)) {
            Thread.sleep(20);
        }
    }

    private static void lockFree() {
        while (!isDone) {
            FREE.lock();
            FREE.unlock();
            sleep(5);
        }
    }

    private static Thread start(String name, Runnable run) throws Exception {
        Thread thread = isVirtual ? Virtual.unstarted(name, run) : new Thread(run, name);
        if (!isVirtual) {
            thread.setDaemon(true);
        }
        thread.start();
        return thread;
    }

    private static void ring(Runnable one, Runnable two) throws Exception {
        start("one", one);
        start("two", two);
        Thread.sleep(400); // both own their first lock for 200 ms before they want the second one
    }

    private static void enter(Object monitor, Runnable inside) {
        synchronized (monitor) {
            sleep(200);
            inside.run();
        }
    }

    private static void lock(Runnable inside) {
        LOCK.lock();
        try {
            sleep(200);
            inside.run();
        } finally {
            LOCK.unlock();
        }
    }

    private static void workInTurns() {
        while (!isDone) {
            lock(() -> {});
        }
    }

    /** For the option track: one call that lasts until the end. */
    private static void work() {
        sleepToTheEnd();
    }

    /** For the option track: calls that are over after a moment. */
    private static void workBriefly() {
        sleep(300);
    }

    private static void workOften() {
        while (!isDone) {
            workBriefly();
        }
    }

    private static void workAlone() {
        while (!isDone) {
            lock(() -> {});
            synchronized (LEFT) {
                sleep(1);
            }
        }
    }

    private static void burn() {
        while (!isDone) {
            spins++;
        }
    }

    private static void sleepToTheEnd() {
        while (!isDone) {
            sleep(50);
        }
    }

    private static void sleep(long ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
