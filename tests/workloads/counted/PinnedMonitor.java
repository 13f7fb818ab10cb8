package counted;

import static counted.Call.CONTEND;
import static counted.Call.PINNED;
import static counted.Call.SLEEP;

/**
 * A virtual thread that sleeps while it owns a monitor, so that it is pinned to its carrier up to JDK
 * 23. Meanwhile a platform thread and a virtual thread block on the monitor.
 */
final class PinnedMonitor {
    private static final long NAP = 1000; // ms

    public static void main(String[] args) throws Exception {
        if (!Virtual.areSupported()) {
            System.out.println("skipped this JDK has no virtual threads");
            return;
        }
        Tally.runWorkload(() -> Tally.joinThread(Virtual.start("holder", PinnedMonitor::hold)));
    }

    private static void hold() throws Exception {
        Object lock = Tally.countContention(new Object(), Thread.currentThread());
        Thread platform;
        Thread virtual;
        synchronized (lock) {
            platform = Tally.startThread("platform", () -> contend(lock));
            Tally.awaitState(platform, Thread.State.BLOCKED);
            virtual = Virtual.start("virtual", () -> contend(lock));
            Tally.awaitState(virtual, Thread.State.BLOCKED);
            napPinned();
        }
        Tally.joinThread(platform);
        Tally.joinThread(virtual);
    }

    private static void napPinned() throws InterruptedException {
        Tally.countEntry(SLEEP, null);
        if (Newer.javaVersion() < 24) {
            Tally.count(PINNED, null);
        }
        Thread.sleep(NAP);
        Tally.countExit(SLEEP, null);
    }

    private static void contend(Object lock) {
        Tally.count(CONTEND, lock);
        Contention.enter(lock);
    }
}
