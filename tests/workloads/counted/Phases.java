package counted;

import static counted.Call.ACQUIRE;
import static counted.Call.NOTIFY;
import static counted.Call.NOTIFY_ALL;
import static counted.Call.RELEASE;
import static counted.Call.SLEEP;
import static counted.Call.WAIT;

import java.io.BufferedReader;
import java.io.FileReader;
import java.util.concurrent.Semaphore;

/**
 * A program to attach to. It reads commands from the pipe {@code args[0]}, one a line, and prints
 * the account of each command:
 *
 * <pre>
 * calls      a new thread makes all kinds of counted calls
 * locks      a new thread acquires locks that no other thread wants
 * naps       a new thread sleeps for 1 ms and for 60 ms
 * burn       a new thread uses a CPU, and adds its CPU time to the account
 * short      threads make short calls and measure them (ShortCalls)
 * residents  the threads that were started at the beginning continue, and end
 * </pre>
 *
 * It prints {@code done 0} when it is ready, and {@code done N} after the Nth command. It ends at the
 * end of the pipe.
 */
final class Phases {
    public static void main(String[] args) throws Exception {
        warmUp(new Object(), new Semaphore(0));
        Residents residents = new Residents();
        residents.start();
        try (BufferedReader lines = new BufferedReader(new FileReader(args[0]))) {
            System.out.println("done 0");
            String line;
            for (int n = 1; (line = lines.readLine()) != null; n++) {
                Tally.runWorkload(findPhase(line, residents));
                Tally.clear();
                System.out.println("done " + n);
            }
        }
    }

    private static Body findPhase(String name, Residents residents) {
        switch (name) {
            case "calls": return Phases::calls;
            case "locks": return Changes::locks;
            case "naps": return Changes::naps;
            case "burn": return Changes::burn;
            case "short": return ShortCalls::makeAll;
            default: return residents::release;
        }
    }

    /** Lets the JVM compile the calls before the agent is loaded. */
    private static void warmUp(Object o, Semaphore s) throws Exception {
        for (int i = 0; i < 20_000; i++) {
            signal(o);
            hand(s);
            Thread.sleep(0);
        }
    }

    private static void signal(Object o) {
        synchronized (o) {
            o.notify();
            o.notifyAll();
        }
    }

    private static void hand(Semaphore s) throws InterruptedException {
        s.release();
        s.acquire();
    }

    private static void calls() throws Exception {
        Object o = new Object();
        Semaphore s = new Semaphore(0);
        for (int i = 0; i < 200; i++) {
            Tally.count(NOTIFY, o);
            Tally.count(NOTIFY_ALL, o);
            signal(o);
            Tally.count(RELEASE, s);
            Tally.count(ACQUIRE, s);
            hand(s);
            Tally.count(SLEEP, null);
            Thread.sleep(0);
        }
        for (int i = 0; i < 5; i++) {
            waits(o);
            Contention.blockOnce(Tally.countContention(new Object(), Thread.currentThread()));
            Tally.joinThread(Tally.startThread("sleeper-" + i, Phases::sleeps));
        }
    }

    private static void waits(Object o) throws InterruptedException {
        synchronized (o) {
            Tally.count(WAIT, o);
            o.wait(1);
        }
    }

    private static void sleeps() throws InterruptedException {
        Tally.count(SLEEP, null);
        Thread.sleep(1);
    }
}
