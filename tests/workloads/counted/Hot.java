package counted;

import static counted.Call.ACQUIRE;
import static counted.Call.NOTIFY;
import static counted.Call.NOTIFY_ALL;
import static counted.Call.RELEASE;
import static counted.Call.SLEEP;

import java.util.concurrent.Semaphore;

/**
 * Recorded calls in loops that the JVM compiles; args[0] is the number of calls of each kind. The
 * loops are short and called often, so that the JVM compiles and enters whole methods instead of
 * replacing a running loop.
 */
final class Hot {
    private static final int ROUND = 1000;

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]) / ROUND;
        Object lock = new Object();
        Semaphore s = new Semaphore(0);
        Tally.runWorkload(() -> {
            repeat(rounds, NOTIFY, () -> roundOfNotify(lock));
            repeat(rounds, NOTIFY_ALL, () -> roundOfNotifyAll(lock));
            repeat(rounds, RELEASE, () -> roundOfRelease(s));
            repeat(rounds, ACQUIRE, () -> roundOfAcquire(s));
            repeat(rounds, SLEEP, Hot::roundOfSleep);
        });
    }

    private static void repeat(int rounds, Call call, Body round) throws Exception {
        for (int i = 0; i < rounds; i++) {
            round.run();
        }
        Tally.countMany(call, rounds * ROUND);
    }

    private static void roundOfNotify(Object lock) {
        for (int i = 0; i < ROUND; i++) {
            synchronized (lock) {
                lock.notify();
            }
        }
    }

    private static void roundOfNotifyAll(Object lock) {
        for (int i = 0; i < ROUND; i++) {
            synchronized (lock) {
                lock.notifyAll();
            }
        }
    }

    private static void roundOfRelease(Semaphore s) {
        for (int i = 0; i < ROUND; i++) {
            s.release();
        }
    }

    private static void roundOfAcquire(Semaphore s) throws InterruptedException {
        for (int i = 0; i < ROUND; i++) {
            s.acquire();
        }
    }

    private static void roundOfSleep() throws InterruptedException {
        for (int i = 0; i < ROUND; i++) {
            Thread.sleep(0);
        }
    }
}
