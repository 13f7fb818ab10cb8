package counted;

import static counted.Call.SLEEP;
import static counted.Call.UNPARK;

import java.util.concurrent.locks.LockSupport;

/** Recorded calls that the program makes in a callback, inside another recorded call. */
final class Inside {
    private Inside() {}

    /** Makes and counts a few recorded calls. Does nothing in a thread that is not counted. */
    static void makeCalls() {
        if (!Tally.isCountedThread()) {
            return;
        }
        Tally.count(UNPARK, null);
        LockSupport.unpark(null);
        Tally.count(SLEEP, null);
        try {
            Thread.sleep(0);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // for the outer call
        }
    }
}
