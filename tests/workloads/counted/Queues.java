package counted;

import static counted.Call.INSERT;
import static counted.Call.INSERT_FAILS;
import static counted.Call.REMOVE;
import static counted.Call.REMOVE_FAILS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;

import java.util.Comparator;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;

/**
 * put, take, timed offer and timed poll of all blocking queues with every outcome. Calls that never
 * wait are no events, but their acquisitions of internal locks are. So the helper thread makes them.
 */
final class Queues {
    private static final int CAPACITY = 2;

    public static void main(String[] args) throws Exception {
        Aside.startThread();
        Tally.runWorkload(() -> {
            bounded(new Ends(new ArrayBlockingQueue<>(CAPACITY)));
            bounded(new Ends(new ArrayBlockingQueue<>(CAPACITY, true)));
            bounded(new Ends(new LinkedBlockingQueue<>(CAPACITY)));
            bounded(new Ends(new LinkedBlockingDeque<>(CAPACITY)));
            bounded(new FirstEnds(new LinkedBlockingDeque<>(CAPACITY)));
            bounded(new LastEnds(new LinkedBlockingDeque<>(CAPACITY)));
            unbounded(new Ends(new PriorityBlockingQueue<>()));
            unbounded(new Ends(new DelayQueue<>()));
            unbounded(new Ends(new LinkedTransferQueue<>()));
            handOver(new Ends(new SynchronousQueue<>()));
            handOver(new Ends(new SynchronousQueue<>(true)));
            handOver(new TransferEnds(new LinkedTransferQueue<>()));
            delayed(new DelayQueue<>());
            comparing();
            overridden(new Counted());
        });
    }

    /** An item of a queue, with its delay. */
    private static class Item implements Delayed {
        private final long due;

        Item(long millis) {
            due = System.nanoTime() + MILLISECONDS.toNanos(millis);
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(due - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(due, ((Item) other).due);
        }
    }

    /** An item that makes counted calls in its callbacks. */
    private static final class Calling extends Item {
        Calling() {
            super(0);
        }

        @Override
        public long getDelay(TimeUnit unit) {
            Inside.makeCalls();
            return super.getDelay(unit);
        }

        @Override
        public int compareTo(Delayed other) {
            Inside.makeCalls();
            return super.compareTo(other);
        }
    }

    private static Item item() {
        return new Item(0);
    }

    /** The four calls of a queue that can block. */
    private static class Ends {
        final BlockingQueue<Item> q;

        Ends(BlockingQueue<Item> q) {
            this.q = q;
        }

        void put(Item item) throws InterruptedException {
            q.put(item);
        }

        boolean offer(Item item, long time, TimeUnit unit) throws InterruptedException {
            return q.offer(item, time, unit);
        }

        Item take() throws InterruptedException {
            return q.take();
        }

        Item poll(long time, TimeUnit unit) throws InterruptedException {
            return q.poll(time, unit);
        }
    }

    private static final class FirstEnds extends Ends {
        private final LinkedBlockingDeque<Item> d;

        FirstEnds(LinkedBlockingDeque<Item> d) {
            super(d);
            this.d = d;
        }

        @Override
        void put(Item item) throws InterruptedException {
            d.putFirst(item);
        }

        @Override
        boolean offer(Item item, long time, TimeUnit unit) throws InterruptedException {
            return d.offerFirst(item, time, unit);
        }

        @Override
        Item take() throws InterruptedException {
            return d.takeFirst();
        }

        @Override
        Item poll(long time, TimeUnit unit) throws InterruptedException {
            return d.pollFirst(time, unit);
        }
    }

    private static final class LastEnds extends Ends {
        private final LinkedBlockingDeque<Item> d;

        LastEnds(LinkedBlockingDeque<Item> d) {
            super(d);
            this.d = d;
        }

        @Override
        void put(Item item) throws InterruptedException {
            d.putLast(item);
        }

        @Override
        boolean offer(Item item, long time, TimeUnit unit) throws InterruptedException {
            return d.offerLast(item, time, unit);
        }

        @Override
        Item take() throws InterruptedException {
            return d.takeLast();
        }

        @Override
        Item poll(long time, TimeUnit unit) throws InterruptedException {
            return d.pollLast(time, unit);
        }
    }

    private static final class TransferEnds extends Ends {
        private final LinkedTransferQueue<Item> q;

        TransferEnds(LinkedTransferQueue<Item> q) {
            super(q);
            this.q = q;
        }

        @Override
        void put(Item item) throws InterruptedException {
            q.transfer(item);
        }

        @Override
        boolean offer(Item item, long time, TimeUnit unit) throws InterruptedException {
            return q.tryTransfer(item, time, unit);
        }
    }

    private static void bounded(Ends e) throws Exception {
        for (int i = 0; i < 5; i++) {
            fill(e);
            full(e);
            drain(e);
            empty(e);
        }
        fill(e);
        interruptsOfTheFull(e);
        drain(e);
        interruptsOfTheEmpty(e);
        nulls(e);
        Tally.expectThrow(NullPointerException.class, INSERT_FAILS, e.q, () -> e.offer(item(), 1, null));
        makeSilentCalls(e);
        stream(e);
    }

    private static void unbounded(Ends e) throws Exception {
        for (int i = 0; i < 5; i++) {
            fill(e);
            drain(e);
            empty(e);
        }
        Thread.currentThread().interrupt();
        fill(e); // ignores the interrupt
        Tally.check(Thread.interrupted());
        drain(e);
        interruptsOfTheEmpty(e);
        nulls(e);
        makeSilentCalls(e);
        stream(e);
    }

    private static void handOver(Ends e) throws Exception {
        for (int i = 0; i < 5; i++) {
            full(e);
            empty(e);
        }
        interruptsOfTheFull(e);
        interruptsOfTheEmpty(e);
        nulls(e);
        Tally.expectThrow(NullPointerException.class, INSERT_FAILS, e.q, () -> e.offer(item(), 1, null));
        makeSilentCalls(e);
        stream(e);
    }

    private static void fill(Ends e) throws InterruptedException {
        Tally.count(INSERT, e.q);
        e.put(item());
        Tally.count(INSERT, e.q);
        Tally.check(e.offer(item(), 1, MINUTES));
    }

    /** Inserts into a full queue fail or block until the helper thread removes an item. */
    private static void full(Ends e) throws InterruptedException {
        for (long time : new long[] {-1, 0, 1}) {
            Tally.count(INSERT_FAILS, e.q);
            Tally.check(!e.offer(item(), time, MILLISECONDS));
        }
        Aside.runWhenWaiting(e.q::take);
        Tally.count(INSERT, e.q);
        e.put(item());
        Aside.runWhenWaiting(e.q::take);
        Tally.count(INSERT, e.q);
        Tally.check(e.offer(item(), 1, MINUTES));
    }

    private static void drain(Ends e) throws InterruptedException {
        Tally.count(REMOVE, e.q);
        Tally.check(e.take() != null);
        Tally.count(REMOVE, e.q);
        Tally.check(e.poll(1, MINUTES) != null);
    }

    /** Removals from an empty queue fail or block until the helper thread inserts an item. */
    private static void empty(Ends e) throws InterruptedException {
        for (long time : new long[] {-1, 0, 1}) {
            Tally.count(REMOVE_FAILS, e.q);
            Tally.check(e.poll(time, MILLISECONDS) == null);
        }
        Aside.runWhenWaiting(() -> e.q.put(item()));
        Tally.count(REMOVE, e.q);
        Tally.check(e.take() != null);
        Aside.runWhenWaiting(() -> e.q.put(item()));
        Tally.count(REMOVE, e.q);
        Tally.check(e.poll(1, MINUTES) != null);
    }

    private static void interruptsOfTheFull(Ends e) {
        interrupts(INSERT_FAILS, e, () -> e.put(item()), () -> e.offer(item(), 1, MINUTES));
    }

    private static void interruptsOfTheEmpty(Ends e) {
        interrupts(REMOVE_FAILS, e, e::take, () -> e.poll(1, MINUTES));
    }

    private static void interrupts(Call call, Ends e, Body... calls) {
        for (Body body : calls) {
            Thread.currentThread().interrupt();
            Tally.expectThrow(InterruptedException.class, call, e.q, body);
            Aside.interruptWhenWaiting();
            Tally.expectThrow(InterruptedException.class, call, e.q, body);
        }
    }

    private static void nulls(Ends e) {
        Tally.expectThrow(NullPointerException.class, INSERT_FAILS, e.q, () -> e.put(null));
        Tally.expectThrow(NullPointerException.class, INSERT_FAILS, e.q, () -> e.offer(null, 1, MINUTES));
        Tally.expectThrow(NullPointerException.class, REMOVE_FAILS, e.q, () -> e.poll(1, null));
    }

    private static void makeSilentCalls(Ends e) throws Exception {
        Aside.runAndWait(() -> {
            if (e.q.offer(item())) {
                Tally.check(e.q.peek() != null && e.q.poll() != null);
                e.q.add(item());
                Tally.check(e.q.remove() != null && e.q.size() == 0);
            }
        });
    }

    /** A producer and a consumer. */
    private static void stream(Ends e) throws InterruptedException {
        int items = 40;
        Thread producer = Tally.startThread("producer", () -> {
            for (int i = 0; i < items; i++) {
                Tally.count(INSERT, e.q);
                e.put(item());
            }
        });
        Thread consumer = Tally.startThread("consumer", () -> {
            for (int i = 0; i < items; i++) {
                Tally.count(REMOVE, e.q);
                e.take();
            }
        });
        Tally.joinThread(producer);
        Tally.joinThread(consumer);
    }

    private static void delayed(DelayQueue<Item> q) throws Exception {
        Item far = new Item(600_000);
        Tally.count(INSERT, q);
        q.put(far);
        Tally.count(REMOVE_FAILS, q);
        Tally.check(q.poll(1, MILLISECONDS) == null);
        Aside.runAndWait(() -> q.remove(far));
        Tally.count(INSERT, q);
        q.put(new Item(30));
        Tally.count(REMOVE, q);
        Tally.check(q.take() != null);
        Tally.count(INSERT, q);
        Tally.check(q.offer(new Item(10), -1, MINUTES));
        Tally.count(REMOVE, q);
        Tally.check(q.poll(1, MINUTES) != null);
    }

    /** Items whose callbacks run inside the recorded calls. */
    private static void comparing() throws InterruptedException {
        PriorityBlockingQueue<Integer> byComparator = new PriorityBlockingQueue<>(4, calling());
        PriorityBlockingQueue<Item> natural = new PriorityBlockingQueue<>();
        DelayQueue<Item> delayed = new DelayQueue<>();
        for (int i = 0; i < 5; i++) {
            int number = 10 - i;
            inside(INSERT, byComparator, () -> byComparator.put(number));
            inside(INSERT, natural, () -> natural.offer(new Calling(), 1, MINUTES));
            inside(INSERT, delayed, () -> delayed.put(new Calling()));
        }
        for (int i = 0; i < 5; i++) {
            inside(REMOVE, byComparator, byComparator::take);
            inside(REMOVE, natural, () -> natural.poll(1, MINUTES));
            inside(REMOVE, delayed, delayed::take);
        }
        PriorityBlockingQueue<Object> objects = new PriorityBlockingQueue<>();
        Tally.expectThrow(ClassCastException.class, INSERT_FAILS, objects,
                () -> objects.put(new Object()));
    }

    private static Comparator<Integer> calling() {
        return (a, b) -> {
            Inside.makeCalls();
            return a - b;
        };
    }

    private static void inside(Call call, Object o, Body body) {
        Tally.countEntry(call, o);
        Tally.keepFailure(body);
        Tally.countExit(call, o);
    }

    /** An override is a method of the program: it causes no event, but its calls of the queue do. */
    @SuppressWarnings("serial")
    private static final class Counted extends ArrayBlockingQueue<Item> {
        Counted() {
            super(CAPACITY);
        }

        @Override
        public void put(Item item) throws InterruptedException {
            Tally.count(INSERT, this);
            super.put(item);
        }

        @Override
        public Item take() throws InterruptedException {
            Tally.count(REMOVE, this);
            return super.take();
        }
    }

    private static void overridden(BlockingQueue<Item> q) throws InterruptedException {
        for (int i = 0; i < 5; i++) {
            q.put(item());
            q.take();
        }
    }
}
