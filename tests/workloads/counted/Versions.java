package counted;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A program in two versions, which args[0] selects. In "after", price() uses three times the CPU time of "before", and
 * restock() holds the shelf's monitor seven times as long. Prints "price NANOS", the CPU time of price(), and "takes
 * COUNT", the number of contended calls of take().
 */
final class Versions {
    private static final int ROUNDS = 100; // enough for a significant difference on a busy machine
    private static final int ROUND_MILLIS = 40; // the work is a small part, so both versions take the same time

    private static volatile long result;

    public static void main(String[] args) throws Exception {
        boolean isAfter = args[0].equals("after");
        Shelf shelf = new Shelf();
        Thread keeper = start(() -> shelf.keep(isAfter ? 21 : 3));
        Thread buyer = start(shelf::buy);
        long nanos = 0, start = System.nanoTime();
        for (int i = 1; i <= ROUNDS; i++) {
            nanos += price(isAfter ? 12 : 4);
            sleepUntilEnd(start, i);
        }
        keeper.join();
        buyer.join();
        System.out.println("price " + nanos);
        System.out.println("takes " + ROUNDS);
    }

    /** Sleeps until the end of a round. The ends are at fixed times, also on a busy machine. */
    private static void sleepUntilEnd(long start, int round) throws InterruptedException {
        long end = start + round * ROUND_MILLIS * 1_000_000L;
        Thread.sleep(Math.max(0, (end - System.nanoTime()) / 1_000_000));
    }

    private static Thread start(Body body) {
        Thread thread = new Thread(() -> {
            try {
                body.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        thread.start();
        return thread;
    }

    /** Uses CPU time, and returns the amount in nanoseconds. */
    private static long price(long millis) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long start = threads.getCurrentThreadCpuTime(), used = 0, x = 1;
        while (used < millis * 1_000_000) {
            for (int i = 0; i < 100_000; i++) {
                x = x * 31 + i;
            }
            used = threads.getCurrentThreadCpuTime() - start;
        }
        result += x;
        return used;
    }

    /** The object whose monitor both threads use. */
    private static final class Shelf {
        private final LinkedBlockingQueue<Integer> taken = new LinkedBlockingQueue<>();
        private int pieces;

        private void keep(int millis) throws InterruptedException {
            long start = System.nanoTime();
            for (int i = 1; i <= ROUNDS; i++) {
                restock(millis);
                sleepUntilEnd(start, i);
            }
        }

        private synchronized void restock(int millis) throws InterruptedException {
            taken.add(pieces);
            Thread.sleep(millis);
            pieces++;
        }

        private void buy() throws InterruptedException {
            for (int i = 0; i < ROUNDS; i++) {
                taken.take();
                take();
            }
        }

        private synchronized void take() {
            pieces--;
        }
    }
}
