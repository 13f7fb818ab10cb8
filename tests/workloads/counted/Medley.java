package counted;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A short program with many kinds of recorded calls, in which three threads take turns. It checks
 * its results, and exits with status 99 if they are wrong. Its account contains only the start and the
 * end of each thread.
 */
final class Medley {
    private static final int ROUNDS = 20;
    private static final int THREADS = 3;

    private static final ReentrantLock lock = new ReentrantLock();
    private static final Condition turned = lock.newCondition();
    private static final ReentrantReadWriteLock both = new ReentrantReadWriteLock();
    private static final Semaphore semaphore = new Semaphore(1);
    private static final CountDownLatch started = new CountDownLatch(THREADS);
    private static final BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(1);
    private static int total; // of the items in the queue
    private static int turn; // guarded by `lock`

    public static void main(String[] args) throws Exception {
        Thread[] threads = new Thread[THREADS];
        int[] done = new int[THREADS];
        for (int i = 0; i < THREADS; i++) {
            int self = i;
            threads[i] = Tally.newThread("player-" + i, () -> {
                play(self);
                done[self] = 1;
            });
            threads[i].start();
        }
        for (int i = 0; i < 2 * ROUNDS; i++) {
            total += queue.take();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        Tally.printAccount();
        if (done[0] + done[1] + done[2] != 3 || total != 2 * ROUNDS) {
            System.exit(99);
        }
    }

    private static void play(int self) throws Exception {
        started.countDown();
        started.await();
        for (int round = 0; round < ROUNDS; round++) {
            locked(self, round);
            monitored(self, round);
            semaphore.acquire();
            Thread.sleep(0, 1);
            semaphore.release();
            Tally.check(semaphore.tryAcquire(10, TimeUnit.SECONDS));
            semaphore.release();
            both.readLock().lock();
            both.readLock().unlock();
            both.writeLock().lock();
            both.writeLock().unlock();
            if (self > 0) {
                queue.put(1);
            }
        }
    }

    private static void locked(int self, int round) throws Exception {
        lock.lockInterruptibly();
        try {
            while (turn != 2 * round * THREADS + self) {
                turned.await();
            }
            turn++;
            turned.signalAll();
        } finally {
            lock.unlock();
        }
        Tally.check(lock.tryLock(10, TimeUnit.SECONDS));
        lock.unlock();
        lock.lock();
        lock.unlock();
        if (lock.tryLock()) {
            lock.unlock();
        }
    }

    private static void monitored(int self, int round) throws Exception {
        synchronized (Medley.class) {
            while (turnNow() != (2 * round + 1) * THREADS + self) {
                Medley.class.wait(1);
            }
            lock.lock();
            turn++;
            turned.signalAll();
            lock.unlock();
            Medley.class.notifyAll();
        }
    }

    private static int turnNow() {
        lock.lock();
        try {
            return turn;
        } finally {
            lock.unlock();
        }
    }
}
