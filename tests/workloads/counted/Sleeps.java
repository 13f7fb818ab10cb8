package counted;

import static counted.Call.SLEEP;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Every overload of Thread.sleep with every outcome. */
final class Sleeps {
    private static final Method OF_DURATION = Newer.find(Thread.class, "sleep", Duration.class);

    public static void main(String[] args) throws Exception {
        Tally.runWorkload(() -> {
            plain();
            ofDuration();
            exceptions();
            interrupts();
        });
    }

    private static void plain() throws InterruptedException {
        for (int i = 0; i < 10; i++) {
            Tally.count(SLEEP, null);
            Thread.sleep(0);
            Tally.count(SLEEP, null);
            Thread.sleep(1);
            Tally.count(SLEEP, null);
            Thread.sleep(0, 1);
            Tally.count(SLEEP, null);
            Thread.sleep(1, 500_000);
            Tally.count(SLEEP, null);
            TimeUnit.MICROSECONDS.sleep(300);
        }
        TimeUnit.MILLISECONDS.sleep(0); // does not call Thread.sleep
    }

    private static void ofDuration() throws Exception {
        if (OF_DURATION == null) {
            return;
        }
        for (int millis : new int[] {0, 1, -5}) {
            Tally.count(SLEEP, null);
            sleep(Duration.ofMillis(millis));
        }
        expectThrow(NullPointerException.class, () -> sleep(null));
        Thread.currentThread().interrupt();
        expectThrow(InterruptedException.class, () -> sleep(Duration.ofMinutes(1)));
    }

    private static void sleep(Duration d) throws Exception {
        Newer.call(OF_DURATION, null, d);
    }

    private static void exceptions() {
        expectThrow(IllegalArgumentException.class, () -> Thread.sleep(-1));
        expectThrow(IllegalArgumentException.class, () -> Thread.sleep(-1, 0));
        expectThrow(IllegalArgumentException.class, () -> Thread.sleep(0, -1));
        expectThrow(IllegalArgumentException.class, () -> Thread.sleep(0, 1_000_000));
    }

    private static void expectThrow(Class<? extends Throwable> kind, Body sleep) {
        Tally.count(SLEEP, null);
        Tally.expectThrow(kind, sleep);
    }

    private static void interrupts() throws InterruptedException {
        Thread.currentThread().interrupt();
        expectThrow(InterruptedException.class, () -> Thread.sleep(60_000));
        Body[] sleeps = {() -> Thread.sleep(60_000), () -> Thread.sleep(60_000, 1)};
        for (Body sleep : sleeps) {
            Thread sleeper =
                    Tally.startThread("sleeper", () -> expectThrow(InterruptedException.class, sleep));
            Tally.awaitState(sleeper, Thread.State.TIMED_WAITING);
            sleeper.interrupt();
            Tally.joinThread(sleeper);
        }
    }
}
