package counted;

import static counted.Call.NOTIFY;
import static counted.Call.SLEEP;
import static counted.Call.WAIT;

/** A class that many class loaders define. */
public final class Guest implements Runnable {
    @Override
    public void run() {
        try {
            waitAndSleep();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private synchronized void waitAndSleep() throws InterruptedException {
        Tally.count(WAIT, this);
        wait(1);
        Tally.count(NOTIFY, this);
        notify();
        Tally.count(SLEEP, null);
        Thread.sleep(1);
    }
}
