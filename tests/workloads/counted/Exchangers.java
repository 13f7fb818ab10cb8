package counted;

import static counted.Call.EXCHANGE;
import static counted.Call.EXCHANGE_FAILS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;

import java.util.concurrent.Exchanger;
import java.util.concurrent.TimeoutException;

/** Exchanger.exchange with every outcome. */
final class Exchangers {
    public static void main(String[] args) throws Exception {
        Aside.startThread();
        Tally.runWorkload(() -> {
            met(new Exchanger<>());
            timeOuts(new Exchanger<>());
            interrupts(new Exchanger<>());
            pairs(new Exchanger<>());
        });
    }

    private static void met(Exchanger<String> x) throws Exception {
        for (int i = 0; i < 10; i++) {
            Aside.runWhenWaiting(() -> x.exchange("theirs"));
            Tally.count(EXCHANGE, x);
            Tally.check(x.exchange("mine").equals("theirs"));
            Aside.runWhenWaiting(() -> x.exchange(null));
            Tally.count(EXCHANGE, x);
            Tally.check(x.exchange("mine", 1, MINUTES) == null);
        }
    }

    private static void timeOuts(Exchanger<String> x) {
        for (long time : new long[] {-1, 0, 1}) {
            Tally.expectThrow(TimeoutException.class, EXCHANGE_FAILS, x,
                    () -> x.exchange("mine", time, MILLISECONDS));
        }
        Tally.expectThrow(NullPointerException.class, EXCHANGE_FAILS, x,
                () -> x.exchange("mine", 1, null));
    }

    private static void interrupts(Exchanger<String> x) {
        Body[] exchanges = {() -> x.exchange("mine"), () -> x.exchange("mine", 1, MINUTES)};
        for (Body exchange : exchanges) {
            Thread.currentThread().interrupt();
            Tally.expectThrow(InterruptedException.class, EXCHANGE_FAILS, x, exchange);
            Aside.interruptWhenWaiting();
            Tally.expectThrow(InterruptedException.class, EXCHANGE_FAILS, x, exchange);
        }
    }

    /** Two threads exchange repeatedly. */
    private static void pairs(Exchanger<Integer> x) throws InterruptedException {
        Thread[] threads = new Thread[2];
        for (int i = 0; i < threads.length; i++) {
            int mine = i;
            threads[i] = Tally.startThread("pair-" + i, () -> {
                for (int round = 0; round < 50; round++) {
                    Tally.count(EXCHANGE, x);
                    Tally.check(x.exchange(mine) == 1 - mine);
                }
            });
        }
        for (Thread thread : threads) {
            Tally.joinThread(thread);
        }
    }
}
