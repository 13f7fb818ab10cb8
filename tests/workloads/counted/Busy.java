package counted;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * Threads that use the CPU for 600 ms or for 2 ms. Prints the CPU time of each: "cpu HASH NANOS". Each
 * reads its clock as its last act; main prints.
 */
final class Busy {
    private static final int LONG = 3;
    private static final int SHORT = 200;
    private static final long[] USED = new long[LONG + SHORT];
    private static volatile long result;

    public static void main(String[] args) throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < LONG; i++) {
            int depth = 10 * i;
            threads.add(start("long-" + i, i, () -> burnInDepth(depth, 600)));
        }
        for (int i = 0; i < SHORT; i++) {
            Thread thread = start("short-" + i, LONG + i, () -> burn(2));
            threads.add(thread);
            if (i % 4 == 0) {
                thread.join();
            }
        }
        for (int i = 0; i < USED.length; i++) {
            threads.get(i).join();
            System.out.println("cpu " + Spelling.hash(threads.get(i)) + " " + USED[i]);
        }
        // Time for a last tick of the sampler before the JVM ends.
        Thread.sleep(50);
    }

    private static Thread start(String name, int index, Runnable work) {
        Thread thread = new Thread(() -> {
            work.run();
            USED[index] = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        }, name);
        thread.start();
        return thread;
    }

    private static void burnInDepth(int depth, long millis) {
        if (depth > 0) {
            burnInDepth(depth - 1, millis);
        } else {
            burn(millis);
        }
    }

    /** Uses CPU time. */
    private static void burn(long millis) {
        long end = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() + millis * 1_000_000;
        long x = 1;
        while (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() < end) {
            for (int i = 0; i < 10_000; i++) {
                x = x * 31 + i;
            }
        }
        result += x;
    }
}
