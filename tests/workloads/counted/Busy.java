package counted;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/** Threads that use the CPU, for long and for less than a moment; each says how much. */
final class Busy {
    private static volatile long result;

    public static void main(String[] args) throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int depth = 10 * i;
            threads.add(start("long-" + i, () -> deep(depth, 600)));
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
        // Seen a last time, the long ones too, before the JVM ends.
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

    private static void deep(int depth, long millis) {
        if (depth > 0) {
            deep(depth - 1, millis);
        } else {
            burn(millis);
        }
    }

    /** So much of the thread's own time. */
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
