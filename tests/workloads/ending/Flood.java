package ending;

import counted.Body;
import java.util.concurrent.Semaphore;

/** Threads that make events as fast as they can, for ever. */
final class Flood {
    private final Semaphore semaphore = new Semaphore(1);

    private Flood() {}

    static void start(int threads) {
        Flood flood = new Flood();
        Body[] all = {
            flood::notifications, flood::permits, flood::naps, flood::turmoil, flood::children,
        };
        for (int i = 0; i < threads; i++) {
            Body body = all[i % all.length];
            Thread thread = new Thread(() -> forEver(body), "flood-" + i);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static void forEver(Body body) {
        try {
            while (true) {
                body.run();
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void notifications() {
        Object mine = new Object();
        synchronized (mine) {
            mine.notify();
            mine.notifyAll();
        }
    }

    private void permits() {
        semaphore.acquireUninterruptibly();
        semaphore.release();
    }

    private void naps() throws InterruptedException {
        Thread.sleep(0, 1);
    }

    private synchronized void turmoil() throws InterruptedException {
        wait(0, 1);
        notifyAll();
    }

    private void children() throws InterruptedException {
        Thread child = new Thread(() -> {}, "child");
        child.start();
        child.join();
    }
}
