package orders;

import java.util.concurrent.Semaphore;

/** Ships orders. All workers share two gates. */
final class LoadingDock {
    private static final int LOADING_TIME = 3; // milliseconds

    private final Semaphore gates = new Semaphore(2);

    void ship(Order order) throws InterruptedException {
        gates.acquire();
        try {
            Thread.sleep(LOADING_TIME);
        } finally {
            gates.release();
        }
    }
}
