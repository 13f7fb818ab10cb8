package counted;

import static counted.Call.PINNED;
import static counted.Call.SLEEP;

/** A virtual thread that sleeps where it cannot leave its carrier: while it initializes a class. */
final class Pinned {
    private static final class Slow {
        static final long woke;

        static {
            Tally.enter(SLEEP, null);
            Tally.count(PINNED, null);
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            Tally.leave(SLEEP, null);
            woke = System.nanoTime();
        }
    }

    public static void main(String[] args) throws Exception {
        if (!Virtual.areThere()) {
            System.out.println("skipped this JDK has no virtual threads");
            return;
        }
        Tally.run(() -> Tally.join(Virtual.start("pinned", () -> Tally.check(Slow.woke != 0))));
    }
}
