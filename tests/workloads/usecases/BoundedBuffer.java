package usecases;

import counted.Spelling;
import java.util.ArrayDeque;

/**
 * One producer, four consumers, a buffer with room for two, and notifyAll whenever something changes:
 * most of those who are woken find nothing to do.
 */
final class BoundedBuffer {
    private static final int CONSUMERS = 4;
    private static final int ITEMS = 2000;
    private static final int ROOM = 2;

    private final ArrayDeque<Integer> items = new ArrayDeque<>();
    private long waits;
    private long useless;

    /** One more wait of a thread that waited `before` times since it began to want something. */
    private void pause(int before) throws InterruptedException {
        waits++;
        if (before > 0) {
            useless++;
        }
        wait();
    }

    synchronized void put(int item) throws InterruptedException {
        for (int i = 0; items.size() == ROOM; i++) {
            pause(i);
        }
        items.add(item);
        notifyAll();
    }

    synchronized int take() throws InterruptedException {
        for (int i = 0; items.isEmpty(); i++) {
            pause(i);
        }
        int item = items.remove();
        notifyAll();
        return item;
    }

    private static Runnable consumer(BoundedBuffer buffer, int[] taken, int number) {
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
            consumers[i] = Facts.start("consumer-" + i, consumer(buffer, taken, i));
        }
        for (int i = 0; i < ITEMS; i++) {
            if (i % 4 == 0) {
                Thread.sleep(1); // so that those who wait do
            }
            buffer.put(i);
        }
        for (int i = 0; i < CONSUMERS; i++) {
            buffer.put(-1);
        }
        Facts.join(consumers);
        Facts.say("object", Spelling.hash(buffer));
        Facts.say("waits", buffer.waits);
        Facts.say("useless", buffer.useless);
        for (int i = 0; i < CONSUMERS; i++) {
            Facts.say("consumer-" + i, taken[i]);
        }
    }
}
