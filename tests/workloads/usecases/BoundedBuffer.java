package usecases;

import counted.Spelling;
import java.util.ArrayDeque;

/**
 * One producer, four consumers and a buffer of two items. Each change calls notifyAll, so most of the
 * woken threads find nothing to do.
 */
final class BoundedBuffer {
    private static final int CONSUMERS = 4;
    private static final int ITEMS = 400;
    private static final int CAPACITY = 2;

    private final ArrayDeque<Integer> items = new ArrayDeque<>();
    private long waits;
    private long numUseless;

    /** Waits. The thread has already waited `numBefore` times in this call of put or take. */
    private void awaitChange(int numBefore) throws InterruptedException {
        waits++;
        if (numBefore > 0) {
            numUseless++;
        }
        wait();
    }

    synchronized void put(int item) throws InterruptedException {
        for (int i = 0; items.size() == CAPACITY; i++) {
            awaitChange(i);
        }
        items.add(item);
        notifyAll();
    }

    synchronized int take() throws InterruptedException {
        for (int i = 0; items.isEmpty(); i++) {
            awaitChange(i);
        }
        int item = items.remove();
        notifyAll();
        return item;
    }

    private static Runnable newConsumer(BoundedBuffer buffer, int[] taken, int number) {
        return () -> {
            try {
                while (buffer.take() >= 0) {
                    taken[number]++;
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        };
    }

    public static void main(String[] args) throws Exception {
        BoundedBuffer buffer = new BoundedBuffer();
        int[] taken = new int[CONSUMERS];
        Thread[] consumers = new Thread[CONSUMERS];
        for (int i = 0; i < CONSUMERS; i++) {
            consumers[i] = Facts.start("consumer-" + i, newConsumer(buffer, taken, i));
        }
        for (int i = 0; i < ITEMS; i++) {
            if (i % 4 == 0) {
                Thread.sleep(1); // so that the consumers wait again
            }
            buffer.put(i);
        }
        for (int i = 0; i < CONSUMERS; i++) {
            buffer.put(-1);
        }
        Facts.join(consumers);
        Facts.say("object", Spelling.hash(buffer));
        Facts.say("waits", buffer.waits);
        Facts.say("useless", buffer.numUseless);
        for (int i = 0; i < CONSUMERS; i++) {
            Facts.say("consumer-" + i, taken[i]);
        }
    }
}
