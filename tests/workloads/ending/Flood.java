package ending;

import counted.Body;
import java.util.concurrent.Semaphore;

/** Threads that cause events as fast as possible, forever. */
final class Flood {
    private final Semaphore semaphore = new Semaphore(1);

    private Flood() {}

    static void start(int threads) {
        Flood flood = new Flood();
        Body[] bodies = {
            flood::notifyMonitor, flood::usePermit, flood::nap, flood::waitAndNotify, flood::startChild,
        };
        for (int i = 0; i < threads; i++) {
            Body body = bodies[i % bodies.length];
            Thread thread = new Thread(() -> repeatForever(body), "flood-" + i);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static void repeatForever(Body body) {
        try {
            while (true) {
                body.run();
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void notifyMonitor() {
        Object mine = new Object();
        synchronized (mine) {
            mine.notify();
            mine.notifyAll();
        }
    }

    private void usePermit() {
        semaphore.acquireUninterruptibly();
        semaphore.release();
    }

    private void nap() throws InterruptedException {
        Thread.sleep(0, 1);
    }

    private synchronized void waitAndNotify() throws InterruptedException {
        wait(0, 1);
        notifyAll();
    }

    private void startChild() throws InterruptedException {
        Thread child = new Thread(() -> {}, "child");
        child.start();
        child.join();
    }
}
