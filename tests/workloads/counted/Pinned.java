package counted;

import static counted.Call.PINNED;
import static counted.Call.SLEEP;

/** A virtual thread that sleeps in a class initializer, where it cannot unmount from its carrier. */
final class Pinned {
    private static final class Slow {
        static final long wakeTime;

        static {
            Tally.countEntry(SLEEP, null);
            Tally.count(PINNED, null);
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            Tally.countExit(SLEEP, null);
            wakeTime = System.nanoTime();
        }
    }

    public static void main(String[] args) throws Exception {
        if (!Virtual.areSupported()) {
            System.out.println("skipped this JDK has no virtual threads");
            return;
        }
        Tally.runWorkload(() -> Tally.joinThread(Virtual.start("pinned", () -> Tally.check(Slow.wakeTime != 0))));
    }
}
