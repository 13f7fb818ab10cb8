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
 * The ways in which a program can end, one an argument. The account is printed just before the end
 * and holds what the end itself will add; where a signal is to end the program, "end" says that it
 * may come.
 */
final class Endings {
    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "return":
                Tally.runWorkload(Endings::work);
                break;
            case "throw":
                Tally.runWorkload(Endings::work);
                throw new IllegalStateException("thrown by main");
            case "exit":
                last(() -> System.exit(3));
                break;
            case "halt":
                last(() -> Runtime.getRuntime().halt(4));
                break;
            case "hook":
                Tally.newThread("ending", Endings::exitWithHook).start();
                break;
            case "halt-in-hook":
                Tally.newThread("ending", Endings::haltInHook).start();
                break;
            case "sleep":
                sleepForEver();
                break;
            case "deadlock":
                new Deadlock().make();
                Tally.printAccount();
                break;
            case "daemons":
                Flood.start(5);
                Tally.runWorkload(Endings::work);
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

    /** A little of what counts. */
    private static void work() throws InterruptedException {
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

    /** Ends the program from a thread that does not come to its own end any more. */
    private static void last(Body end) {
        Tally.newThread("ending", () -> {
            work();
            Tally.endAccount();
            Tally.printAccount();
            end.run();
        }).start();
    }

    /** System.exit starts and joins the hook, in this thread. */
    private static void exitWithHook() {
        Thread hook = Tally.addThread(new Thread(Endings::hook, "hook"));
        Runtime.getRuntime().addShutdownHook(hook);
        Tally.count(START, hook);
        Tally.count(JOIN, hook);
        Tally.endAccount();
        System.exit(5);
    }

    private static void hook() {
        Tally.count(BEGIN, null);
        try {
            work();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        Tally.count(END, null);
        Tally.printAccount();
    }

    private static void haltInHook() {
        Thread ending = Thread.currentThread();
        Thread hook = Tally.newThread("hook", () -> {
            work();
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

    private static void sleepForEver() {
        AtomicBoolean about = new AtomicBoolean();
        Thread sleeper = Tally.newThread("sleeper", () -> {
            work();
            Tally.countEntry(SLEEP, null);
            about.set(true);
            Thread.sleep(Long.MAX_VALUE);
        });
        sleeper.start();
        while (!about.get() || sleeper.getState() != Thread.State.TIMED_WAITING) {
            Tally.yieldBriefly();
        }
        Tally.printAccount();
    }
}
