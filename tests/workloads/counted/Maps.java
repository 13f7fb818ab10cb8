package counted;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * One map under synchronized, a ReentrantLock and a ReentrantReadWriteLock: three threads each put
 * and get as often. Prints for each "acquired SORT HASH N".
 */
final class Maps {
    private static final int THREADS = 3;
    private static final int PUTS = 300;
    private static final int GETS = 600;

    private static final Map<Integer, Integer> map = new HashMap<>();

    public static void main(String[] args) throws Exception {
        Tally.runWorkload(() -> {
            Object monitor = Tally.countContention(new Object(), Thread.currentThread());
            ReentrantLock lock = new ReentrantLock();
            ReentrantReadWriteLock both = new ReentrantReadWriteLock();
            crowd(i -> {
                synchronized (monitor) {
                    map.put(i, i);
                }
            }, i -> {
                synchronized (monitor) {
                    map.get(i);
                }
            });
            crowd(i -> put(lock, i), i -> get(lock, i));
            crowd(i -> put(both.writeLock(), i), i -> get(both.readLock(), i));
            say("monitor", monitor, PUTS + GETS);
            say("lock", lock, PUTS + GETS);
            say("read", both, GETS);
            say("write", both, PUTS);
        });
    }

    private interface Use {
        void of(int i);
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

    private static void crowd(Use put, Use get) throws InterruptedException {
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            threads[i] = new Thread(() -> {
                for (int k = 0; k < PUTS; k++) {
                    put.of(k);
                    get.of(k);
                    get.of(k + 1);
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void say(String sort, Object lock, int times) {
        Tally.addLine("acquired " + sort + " " + Spelling.hash(lock) + " " + THREADS * times);
    }
}
