package counted;

import static counted.Call.PARK;
import static counted.Call.UNPARK;

import java.lang.reflect.Method;
import java.util.concurrent.locks.LockSupport;

/** All forms of LockSupport.park, and unpark. A park may return spuriously. */
final class Parks {
    private static final Method SET_BLOCKER =
            Newer.find(LockSupport.class, "setCurrentBlocker", Object.class);

    private static volatile boolean unparked;

    public static void main(String[] args) throws Exception {
        Aside.startThread();
        Tally.runWorkload(() -> {
            timeOuts(new Object());
            permits("a blocker");
            unparked(new int[1]);
            interrupts(new Object());
            unparkNone();
            blockerOfTheThread();
            others();
        });
    }

    private static void timeOuts(Object blocker) {
        for (int i = 0; i < 5; i++) {
            for (long nanos : new long[] {-1, 0, 1, 1_000_000}) {
                Tally.count(PARK, null);
                LockSupport.parkNanos(nanos);
                Tally.count(PARK, blocker);
                LockSupport.parkNanos(blocker, nanos);
                Tally.count(PARK, null);
                LockSupport.parkNanos(null, nanos);
            }
            for (long millis : new long[] {-1_000, 0, 2}) {
                Tally.count(PARK, null);
                LockSupport.parkUntil(System.currentTimeMillis() + millis);
                Tally.count(PARK, blocker);
                LockSupport.parkUntil(blocker, System.currentTimeMillis() + millis);
            }
            Tally.count(PARK, blocker);
            LockSupport.parkUntil(blocker, -1);
        }
    }

    /** A thread that was unparked before does not wait. */
    private static void permits(Object blocker) {
        for (Body park : parks(blocker)) {
            for (int i = 0; i < 5; i++) {
                unpark(Thread.currentThread());
                unpark(Thread.currentThread());
                Tally.keepFailure(park);
            }
        }
    }

    private static void unpark(Thread thread) {
        Tally.count(UNPARK, thread);
        LockSupport.unpark(thread);
    }

    /** All forms of park; those with a time-out wait for a minute. */
    private static Body[] parks(Object blocker) {
        return new Body[] {
            () -> {
                Tally.count(PARK, null);
                LockSupport.park();
            },
            () -> {
                Tally.count(PARK, blocker);
                LockSupport.park(blocker);
            },
            () -> {
                Tally.count(PARK, null);
                LockSupport.parkNanos(60_000_000_000L);
            },
            () -> {
                Tally.count(PARK, blocker);
                LockSupport.parkNanos(blocker, 60_000_000_000L);
            },
            () -> {
                Tally.count(PARK, null);
                LockSupport.parkUntil(System.currentTimeMillis() + 60_000);
            },
            () -> {
                Tally.count(PARK, blocker);
                LockSupport.parkUntil(blocker, System.currentTimeMillis() + 60_000);
            },
        };
    }

    private static void unparked(Object blocker) {
        for (Body park : parks(blocker)) {
            Thread me = Thread.currentThread();
            unparked = false;
            Aside.runWhenWaiting(() -> {
                unparked = true;
                LockSupport.unpark(me);
            });
            while (!unparked) {
                Tally.keepFailure(park);
            }
        }
    }

    /** An interrupted thread does not wait, and stays interrupted. */
    private static void interrupts(Object blocker) {
        for (Body park : parks(blocker)) {
            Thread.currentThread().interrupt();
            Tally.keepFailure(park);
            Tally.keepFailure(park);
            Tally.check(Thread.interrupted());
            Aside.interruptWhenWaiting();
            while (!Thread.currentThread().isInterrupted()) {
                Tally.keepFailure(park);
            }
            Tally.check(Thread.interrupted());
        }
    }

    private static void unparkNone() {
        unpark(null);
        unpark(new Thread("never started"));
    }

    /** A blocker that the thread itself has set is no argument of park, so the event has no object. */
    private static void blockerOfTheThread() throws Exception {
        if (SET_BLOCKER == null) {
            return;
        }
        Newer.call(SET_BLOCKER, null, "blocker");
        Tally.count(PARK, null);
        LockSupport.parkNanos(1_000_000);
        Newer.call(SET_BLOCKER, null, (Object) null);
    }

    /** Another thread parks until this one unparks it. */
    private static void others() throws InterruptedException {
        for (int i = 0; i < 10; i++) {
            unparked = false;
            Thread other = Tally.startThread("parker-" + i, () -> {
                while (!unparked) {
                    Tally.count(PARK, Parks.class);
                    LockSupport.park(Parks.class);
                }
            });
            Tally.awaitState(other, Thread.State.WAITING);
            unparked = true;
            unpark(other);
            Tally.joinThread(other);
        }
    }
}
