package counted;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A program in two versions, "before" and "after": in the second price() takes three times the CPU time, and restock()
 * has the shelf seven times as long; all else is the same. Says what it did: "price NANOS" of CPU time, "takes COUNT" of
 * calls that came while the shelf was taken.
 */
final class Versions {
    private static final int ROUNDS = 100; // so many that the difference is more than chance, on a busy machine too
    private static final int ROUND_MILLIS = 40; // of which the work is a small part: both versions take as long

    private static volatile long result;

    public static void main(String[] args) throws Exception {
        boolean after = args[0].equals("after");
        Shelf shelf = new Shelf();
        Thread keeper = start(() -> shelf.keep(after ? 21 : 3));
        Thread buyer = start(shelf::buy);
        long nanos = 0, start = System.nanoTime();
        for (int i = 1; i <= ROUNDS; i++) {
            nanos += price(after ? 12 : 4);
            sleepUntil(start, i);
        }
        keeper.join();
        buyer.join();
        System.out.println("price " + nanos);
        System.out.println("takes " + ROUNDS);
    }

    /** The end of a round, which does not move where the machine is busy. */
    private static void sleepUntil(long start, int round) throws InterruptedException {
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

    /** Uses so much CPU time, and gives how much it was. */
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

    /** What the two threads fight for. */
    private static final class Shelf {
        private final LinkedBlockingQueue<Integer> taken = new LinkedBlockingQueue<>();
        private int pieces;

        private void keep(int millis) throws InterruptedException {
            long start = System.nanoTime();
            for (int i = 1; i <= ROUNDS; i++) {
                restock(millis);
                sleepUntil(start, i);
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
