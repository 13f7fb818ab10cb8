package counted;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/** Threads that use the CPU for 600 ms or for 2 ms. Each prints its CPU time: "cpu HASH NANOS". */
final class Busy {
    private static volatile long result;

    public static void main(String[] args) throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int depth = 10 * i;
            threads.add(start("long-" + i, () -> burnInDepth(depth, 600)));
        }
        for (int i = 0; i < 200; i++) {
            Thread thread = start("short-" + i, () -> burn(2));
            threads.add(thread);
            if (i % 4 == 0) {
                thread.join();
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
        // Time for a last tick of the sampler before the JVM ends.
        Thread.sleep(50);
    }

    private static Thread start(String name, Runnable work) {
        Thread thread = new Thread(() -> {
            work.run();
            String hash = Spelling.hash(Thread.currentThread());
            long nanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            System.out.println("cpu " + hash + " " + nanos);
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
