package budgets;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Breaks one budget, or is a mended program that keeps it: args are the budget, "broken" or "mended",
 * and the kind of its locks, "monitor" or "lock".
 *
 * <pre>
 * deadlock  broken: two threads acquire two locks in opposite orders and meet in between
 * order     broken: they do so one after the other, so there is no deadlock
 * value     broken: the monitor is a string; mended: an object ("monitor" only)
 * sleep     broken: a thread sleeps for 60 ms with the lock that another thread waits for
 * io        broken: it reads from a socket for 300 ms with the lock
 * unheard   broken: 30 signals when nobody waits; mended: none
 * lock      broken: 40 times a thread waits for about 20 ms, 3 times for 600 ms
 * lost      5000 uses of a lock; whether events are lost is up to the options of the recording
 * </pre>
 *
 * The mended program does the same work in one order, or outside of the lock.
 */
public final class Costs {
    /** A lock of either kind, which runs code. */
    private abstract static class Guard {
        abstract void run(Runnable code);

        abstract void signal();
    }

    private static final class MonitorGuard extends Guard {
        private final Object monitor;

        MonitorGuard(Object monitor) {
            this.monitor = monitor;
        }

        @Override
        void run(Runnable code) {
            synchronized (monitor) {
                code.run();
            }
        }

        @Override
        void signal() {
            synchronized (monitor) {
                monitor.notifyAll();
            }
        }
    }

    private static final class LockGuard extends Guard {
        private final ReentrantLock lock = new ReentrantLock();
        private final java.util.concurrent.locks.Condition condition = lock.newCondition();

        @Override
        void run(Runnable code) {
            lock.lock();
            try {
                code.run();
            } finally {
                lock.unlock();
            }
        }

        @Override
        void signal() {
            lock.lock();
            try {
                condition.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    private final boolean isBroken;
    private final boolean hasMonitors;

    private Costs(boolean isBroken, boolean hasMonitors) {
        this.isBroken = isBroken;
        this.hasMonitors = hasMonitors;
    }

    private Guard newGuard() {
        return hasMonitors ? new MonitorGuard(new Object()) : new LockGuard();
    }

    static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static Thread start(String name, Runnable code) {
        Thread thread = new Thread(code, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    static void join(Thread thread, long millis) {
        try {
            thread.join(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void meet(CyclicBarrier both) {
        try {
            both.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void nest(Guard outer, Guard inner, Runnable between) {
        outer.run(() -> {
            between.run();
            inner.run(() -> { });
        });
    }

    /** The mended threads do not meet: the second would wait for the first one's lock. */
    private void deadlock() {
        Guard left = newGuard();
        Guard right = newGuard();
        CyclicBarrier both = new CyclicBarrier(2);
        Runnable between = isBroken ? () -> meet(both) : () -> { };
        Thread one = start("there", () -> nest(left, right, between));
        Thread two = start("back", () -> nest(isBroken ? right : left, isBroken ? left : right, between));
        join(one, 3000);
        join(two, isBroken ? 1 : 3000);
    }

    private void order() {
        Guard left = newGuard();
        Guard right = newGuard();
        join(start("there", () -> nest(left, right, () -> { })), 0);
        join(start("back", () -> nest(isBroken ? right : left, isBroken ? left : right, () -> { })), 0);
    }

    /** Another thread waits for the lock while its holder runs `code`, if that is inside. */
    private void holdAround(Guard guard, Runnable code) {
        CountDownLatch held = new CountDownLatch(1);
        Thread holder = start("holder", () -> {
            guard.run(() -> {
                held.countDown();
                if (isBroken) {
                    code.run();
                }
            });
            if (!isBroken) {
                code.run();
            }
        });
        try {
            held.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        Thread waiter = start("waiter", () -> guard.run(() -> { }));
        join(waiter, 0);
        join(holder, 0);
    }

    private void value() {
        Guard guard = new MonitorGuard(isBroken ? "a string that is a lock" : new Object());
        guard.run(() -> { });
    }

    private void sleep() {
        Guard guard = newGuard();
        for (int i = 0; i < 5; i++) {
            holdAround(guard, () -> pause(60));
        }
    }

    private static void read(Socket socket) {
        try {
            if (socket.getInputStream().read() != 1) {
                throw new IllegalStateException("the answer is missing");
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void io() throws IOException {
        Guard guard = newGuard();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket answer = server.accept()) {
            Thread writer = start("writer", () -> {
                for (int i = 0; i < 3; i++) {
                    pause(300);
                    try {
                        answer.getOutputStream().write(1);
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                }
            });
            for (int i = 0; i < 3; i++) {
                holdAround(guard, () -> read(client));
            }
            join(writer, 0);
        }
    }

    private void unheard() {
        Guard guard = newGuard();
        for (int i = 0; i < 30; i++) {
            if (isBroken) {
                guard.signal();
            } else {
                guard.run(() -> { });
            }
        }
    }

    private void lock() {
        Guard guard = newGuard();
        for (int i = 0; i < 43; i++) {
            long millis = i % 20 == 2 ? 600 : 20;
            holdAround(guard, () -> pause(millis));
        }
    }

    private void lost() {
        Guard guard = newGuard();
        for (int i = 0; i < 5000; i++) {
            guard.run(() -> { });
        }
    }

    public static void main(String[] args) throws IOException {
        Costs costs = new Costs(args[1].equals("broken"), args[2].equals("monitor"));
        switch (args[0]) {
            case "deadlock": costs.deadlock(); break;
            case "order": costs.order(); break;
            case "value": costs.value(); break;
            case "sleep": costs.sleep(); break;
            case "io": costs.io(); break;
            case "unheard": costs.unheard(); break;
            case "lock": costs.lock(); break;
            case "lost": costs.lost(); break;
            default: throw new IllegalArgumentException(args[0]);
        }
    }
}
