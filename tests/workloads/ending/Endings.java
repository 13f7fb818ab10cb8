package ending;

import static counted.Call.BEGIN;
import static counted.Call.END;
import static counted.Call.JOIN;
import static counted.Call.NOTIFY;
import static counted.Call.SLEEP;
import static counted.Call.START;

import counted.Body;
import counted.Tally;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The ways in which a program can end; args[0] selects one. The account is printed just before the
 * end and contains the events that the end will cause. If the test ends the program by a signal, the
 * line "end" shows that the program is ready for it.
 */
final class Endings {
    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "return":
                Tally.runWorkload(Endings::makeCalls);
                break;
            case "throw":
                Tally.runWorkload(Endings::makeCalls);
                throw new IllegalStateException("thrown by main");
            case "exit":
                endInThread(() -> System.exit(3));
                break;
            case "halt":
                endInThread(() -> Runtime.getRuntime().halt(4));
                break;
            case "hook":
                Tally.newThread("ending", Endings::exitWithHook).start();
                break;
            case "halt-in-hook":
                Tally.newThread("ending", Endings::haltInHook).start();
                break;
            case "sleep":
                sleepForever();
                break;
            case "deadlock":
                new Deadlock().create();
                Tally.printAccount();
                break;
            case "daemons":
                Flood.start(5);
                Tally.runWorkload(Endings::makeCalls);
                break;
            case "crowd":
                Flood.start(40);
                System.out.println("end");
                Thread.sleep(Long.MAX_VALUE);
                break;
            case "children":
                Flood.start(5);
                startPrograms();
                break;
            case "flood":
                Flood.start(10);
                System.out.println("end");
                Thread.sleep(Long.MAX_VALUE);
                break;
            default:
                throw new IllegalArgumentException(args[0]);
        }
    }

    /** Makes a few counted calls. */
    private static void makeCalls() throws InterruptedException {
        Object o = new Object();
        for (int i = 0; i < 100; i++) {
            synchronized (o) {
                Tally.count(NOTIFY, o);
                o.notify();
            }
        }
        Tally.count(SLEEP, null);
        Thread.sleep(1);
    }

    /** Starts other programs. One of them prints its open files. */
    private static void startPrograms() throws Exception {
        for (int i = 0; i < 20; i++) {
            String[] command = i == 0 ? new String[] {"ls", "-l", "/proc/self/fd"} : new String[] {"true"};
            int status = new ProcessBuilder(command).inheritIO().start().waitFor();
            if (status != 0) {
                throw new AssertionError(command[0] + " ends with " + status);
            }
        }
    }

    /** Ends the program from a counted thread, which therefore never ends itself. */
    private static void endInThread(Body end) {
        Tally.newThread("ending", () -> {
            makeCalls();
            Tally.endAccount();
            Tally.printAccount();
            end.run();
        }).start();
    }

    /** System.exit starts and joins the shutdown hook in this thread. */
    private static void exitWithHook() {
        Thread hook = Tally.addThread(new Thread(Endings::runHook, "hook"));
        Runtime.getRuntime().addShutdownHook(hook);
        Tally.count(START, hook);
        Tally.count(JOIN, hook);
        Tally.endAccount();
        System.exit(5);
    }

    private static void runHook() {
        Tally.count(BEGIN, null);
        try {
            makeCalls();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        Tally.count(END, null);
        Tally.printAccount();
    }

    private static void haltInHook() {
        Thread ending = Thread.currentThread();
        Thread hook = Tally.newThread("hook", () -> {
            makeCalls();
            Tally.awaitState(ending, Thread.State.WAITING);
            Tally.endAccount();
            Tally.printAccount();
            Runtime.getRuntime().halt(6);
        });
        Runtime.getRuntime().addShutdownHook(hook);
        Tally.count(START, hook);
        Tally.countEntry(JOIN, hook);
        System.exit(7);
    }

    private static void sleepForever() {
        AtomicBoolean isAboutToSleep = new AtomicBoolean();
        Thread sleeper = Tally.newThread("sleeper", () -> {
            makeCalls();
            Tally.countEntry(SLEEP, null);
            isAboutToSleep.set(true);
            Thread.sleep(Long.MAX_VALUE);
        });
        sleeper.start();
        while (!isAboutToSleep.get() || sleeper.getState() != Thread.State.TIMED_WAITING) {
            Tally.yieldBriefly();
        }
        Tally.printAccount();
    }
}
