package counted;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A map guarded by a monitor, by a ReentrantLock and by a ReentrantReadWriteLock. For each of them
 * three threads make the same number of puts and gets. Prints "acquired SORT HASH N" for each lock.
 */
final class Maps {
    private static final int THREADS = 3;
    private static final int PUTS = 100;
    private static final int GETS = 200;

    private static final Map<Integer, Integer> map = new HashMap<>();

    public static void main(String[] args) throws Exception {
        Tally.runWorkload(() -> {
            Object monitor = Tally.countContention(new Object(), Thread.currentThread());
            ReentrantLock lock = new ReentrantLock();
            ReentrantReadWriteLock both = new ReentrantReadWriteLock();
            runThreads(i -> {
                synchronized (monitor) {
                    map.put(i, i);
                }
            }, i -> {
                synchronized (monitor) {
                    map.get(i);
                }
            });
            runThreads(i -> put(lock, i), i -> get(lock, i));
            runThreads(i -> put(both.writeLock(), i), i -> get(both.readLock(), i));
            addAcquired("monitor", monitor, PUTS + GETS);
            addAcquired("lock", lock, PUTS + GETS);
            addAcquired("read", both, GETS);
            addAcquired("write", both, PUTS);
        });
    }

    private interface Operation {
        void apply(int i);
    }

    private static void put(Lock lock, int i) {
        lock.lock();
        try {
            map.put(i, i);
        } finally {
            lock.unlock();
        }
    }

    private static void get(Lock lock, int i) {
        lock.lock();
        try {
            map.get(i);
        } finally {
            lock.unlock();
        }
    }

    private static void runThreads(Operation put, Operation get) throws InterruptedException {
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            threads[i] = new Thread(() -> {
                for (int k = 0; k < PUTS; k++) {
                    put.apply(k);
                    get.apply(k);
                    get.apply(k + 1);
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void addAcquired(String sort, Object lock, int times) {
        Tally.addLine("acquired " + sort + " " + Spelling.hash(lock) + " " + THREADS * times);
    }
}
