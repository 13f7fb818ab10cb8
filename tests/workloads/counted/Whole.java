package counted;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Loads the whole machine: args[0] threads compute and allocate for args[1] milliseconds. At the end
 * it prints the figures of the kernel and of the JVM: "process NANOS", the CPU time; "gc TIMES", the
 * number of collections; "wait HASH NANOS", the time of a thread on the run queue.
 */
final class Whole {
    private static volatile Object garbage;
    private static volatile double result;

    public static void main(String[] args) throws Exception {
        int num = Integer.parseInt(args[0]);
        long end = System.nanoTime() + Long.parseLong(args[1]) * 1_000_000;
        CountDownLatch done = new CountDownLatch(num), ending = new CountDownLatch(1);
        List<String> waits = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < num; i++) {
            Thread thread = new Thread(() -> {
                work(end);
                String wait = "wait " + Spelling.hash(Thread.currentThread()) + " " + readRunQueueNanos();
                synchronized (waits) {
                    waits.add(wait);
                }
                done.countDown();
                // Lives for a last tick of the sampler.
                awaitQuietly(ending);
            }, "whole-" + i);
            threads.add(thread);
            thread.start();
        }
        done.await();
        if (args.length > 2) {
            Thread.sleep(Long.parseLong(args[2]));
        }
        ending.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        com.sun.management.OperatingSystemMXBean system =
            (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long process = system.getProcessCpuTime(), collections = 0;
        for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
            collections += bean.getCollectionCount();
        }
        System.out.println("gc " + collections);
        System.out.println("process " + process);
        for (String wait : waits) {
            System.out.println(wait);
        }
    }

    private static void work(long end) {
        double sum = 0;
        while (System.nanoTime() < end) {
            for (int i = 0; i < 1000; i++) {
                sum += Math.sin(i * sum);
            }
            garbage = new byte[10_000];
        }
        result = sum;
    }

    /** Returns the thread's nanoseconds on the run queue, the second number of schedstat; -1 if unknown. */
    private static long readRunQueueNanos() {
        try {
            byte[] bytes = Files.readAllBytes(Paths.get("/proc/thread-self/schedstat"));
            return Long.parseLong(new String(bytes, StandardCharsets.US_ASCII).trim().split(" ")[1]);
        } catch (IOException | RuntimeException e) {
            return -1;
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
