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
    private static final int ROUND_MILLIS = 25;

    private static volatile long result;

    public static void main(String[] args) throws Exception {
        boolean after = args[0].equals("after");
        Shelf shelf = new Shelf();
        Thread keeper = start(() -> shelf.keep(after ? 21 : 3));
        Thread buyer = start(shelf::buy);
        long nanos = 0;
        for (int i = 0; i < ROUNDS; i++) {
            nanos += price(after ? 12 : 4);
            Thread.sleep(after ? ROUND_MILLIS - 12 : ROUND_MILLIS - 4);
        }
        keeper.join();
        buyer.join();
        System.out.println("price " + nanos);
        System.out.println("takes " + ROUNDS);
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
            for (int i = 0; i < ROUNDS; i++) {
                restock(millis);
                Thread.sleep(ROUND_MILLIS - millis);
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
