package counted;

import static counted.Call.COUNT_DOWN;
import static counted.Call.LATCH_AWAIT;
import static counted.Call.LATCH_AWAIT_FAILS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;

import java.util.concurrent.CountDownLatch;

/** CountDownLatch.await with every outcome, and countDown. */
final class Latches {
    public static void main(String[] args) throws Exception {
        Aside.startThread();
        Tally.runWorkload(() -> {
            for (int i = 0; i < 5; i++) {
                open(new CountDownLatch(0));
                shut(new CountDownLatch(1));
                opened(new CountDownLatch(1), new CountDownLatch(2));
                crowd(new CountDownLatch(1), new CountDownLatch(4));
            }
            interrupts(new CountDownLatch(1));
            overridden(new Counted());
        });
    }

    private static void countDown(CountDownLatch latch) {
        Tally.count(COUNT_DOWN, latch);
        latch.countDown();
    }

    private static void open(CountDownLatch latch) throws InterruptedException {
        Tally.count(LATCH_AWAIT, latch);
        latch.await();
        Tally.count(LATCH_AWAIT, latch);
        Tally.check(latch.await(1, MINUTES));
        Tally.count(LATCH_AWAIT, latch);
        Tally.check(latch.await(-1, MINUTES));
        countDown(latch);
        Tally.check(latch.getCount() == 0);
    }

    private static void shut(CountDownLatch latch) throws InterruptedException {
        Tally.count(LATCH_AWAIT_FAILS, latch);
        Tally.check(!latch.await(1, MILLISECONDS));
        Tally.count(LATCH_AWAIT_FAILS, latch);
        Tally.check(!latch.await(0, MILLISECONDS));
        Tally.count(LATCH_AWAIT_FAILS, latch);
        Tally.check(!latch.await(-1, MILLISECONDS));
        Tally.expectThrow(NullPointerException.class, LATCH_AWAIT_FAILS, latch,
                () -> latch.await(1, null));
        countDown(latch);
        countDown(latch);
        open(latch);
    }

    private static void opened(CountDownLatch one, CountDownLatch two) throws InterruptedException {
        Aside.runWhenWaiting(one::countDown);
        Tally.count(LATCH_AWAIT, one);
        one.await();
        countDown(two);
        Aside.runWhenWaiting(two::countDown);
        Tally.count(LATCH_AWAIT, two);
        Tally.check(two.await(1, MINUTES));
    }

    private static void interrupts(CountDownLatch latch) {
        for (Body await : new Body[] {latch::await, () -> latch.await(1, MINUTES)}) {
            Thread.currentThread().interrupt();
            Tally.expectThrow(InterruptedException.class, LATCH_AWAIT_FAILS, latch, await);
            Aside.interruptWhenWaiting();
            Tally.expectThrow(InterruptedException.class, LATCH_AWAIT_FAILS, latch, await);
        }
        countDown(latch);
        Thread.currentThread().interrupt();
        Tally.expectThrow(InterruptedException.class, LATCH_AWAIT_FAILS, latch, latch::await);
    }

    /** An override is a method of the program: it causes no event, but its calls of the latch do. */
    private static final class Counted extends CountDownLatch {
        Counted() {
            super(2);
        }

        @Override
        public void countDown() {
            Tally.count(COUNT_DOWN, this);
            super.countDown();
            Tally.count(COUNT_DOWN, this);
            super.countDown();
        }
    }

    private static void overridden(CountDownLatch latch) throws InterruptedException {
        latch.countDown();
        Tally.count(LATCH_AWAIT, latch);
        latch.await();
    }

    /** Four threads start at once. This thread waits until the last of them has counted down. */
    private static void crowd(CountDownLatch begin, CountDownLatch end)
            throws InterruptedException {
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = Tally.startThread("crowd-" + i, () -> {
                Tally.count(LATCH_AWAIT, begin);
                begin.await();
                countDown(end);
            });
        }
        countDown(begin);
        Tally.count(LATCH_AWAIT, end);
        end.await();
        for (Thread thread : threads) {
            Tally.joinThread(thread);
        }
    }
}
