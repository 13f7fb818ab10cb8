package counted;

import static counted.Call.SLEEP;
import static counted.Call.UNPARK;

import java.util.concurrent.locks.LockSupport;

/** What the program's own code does inside of a recorded call, where the JDK calls it back. */
final class Inside {
    private Inside() {}

    /** A few recorded calls, which count as anywhere; a thread that is no own one makes none. */
    static void calls() {
        if (!Tally.isOwn()) {
            return;
        }
        Tally.count(UNPARK, null);
        LockSupport.unpark(null);
        Tally.count(SLEEP, null);
        try {
            Thread.sleep(0);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // it is for the call around
        }
    }
}
