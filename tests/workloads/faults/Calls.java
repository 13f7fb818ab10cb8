package faults;

import java.io.RandomAccessFile;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads that call a tracked method until the file args[2] exists. Prints the calls up to now every 100
 * ms as "at CALLS", and at the end "calls CALLS" and "longest MILLISECONDS", the duration of the longest
 * group of calls. args[0]: threads; args[1]: calls of a thread each millisecond. The file args[2].begun
 * has the number of calls that each thread has begun, as big-endian longs; it is right also after
 * SIGKILL.
 */
public final class Calls {
    private static final AtomicLong calls = new AtomicLong();
    private static final AtomicLong longestNs = new AtomicLong();
    private static MappedByteBuffer begun;
    private static volatile boolean isOver;
    private static int sink;

    private Calls() {}

    public static void main(String[] args) throws Exception {
        Thread[] threads = new Thread[Integer.parseInt(args[0])];
        int group = Integer.parseInt(args[1]);
        try (RandomAccessFile file = new RandomAccessFile(args[2] + ".begun", "rw")) {
            begun = file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 8L * threads.length);
        }
        for (int i = 0; i < threads.length; i++) {
            int index = i;
            threads[i] = new Thread(() -> callUntilOver(index, group), "caller-" + i);
            threads[i].start();
        }
        System.out.println("begin");
        while (!Files.exists(Paths.get(args[2]))) {
            Thread.sleep(100);
            System.out.println("at " + calls.get());
        }
        isOver = true;
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("calls " + calls.get());
        System.out.println("longest " + longestNs.get() / 1_000_000);
    }

    private static void callUntilOver(int index, int group) {
        for (long num = 0; !isOver; num += group) {
            long begin = System.nanoTime();
            for (int i = 1; i <= group; i++) {
                begun.putLong(8 * index, num + i);
                call(i);
            }
            long took = System.nanoTime() - begin;
            calls.addAndGet(group);
            longestNs.accumulateAndGet(took, Math::max);
            LockSupport.parkNanos(1_000_000);
        }
    }

    static void call(int i) {
        sink += i;
    }
}
