package usecases;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Calls notify in a loop, and does nothing else: nearly all of the CPU time of the loop is what its
 * recording costs. Prints this time.
 */
final class BusyNotifier {
    private static final int CALLS = 1_000_000;
    private static final Object LOCK = new Object();

    private static void callNotify(int depth) {
        if (depth > 0) {
            callNotify(depth - 1);
            return;
        }
        synchronized (LOCK) {
            LOCK.notify();
        }
    }

    public static void main(String[] args) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long start = threads.getCurrentThreadCpuTime();
        for (int i = 0; i < CALLS; i++) {
            callNotify(Integer.parseInt(args[0]));
        }
        System.out.println("loop " + (threads.getCurrentThreadCpuTime() - start));
    }
}
