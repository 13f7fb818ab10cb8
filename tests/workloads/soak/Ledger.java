package soak;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** Counts of the whole run: the answers of the requests, and their latencies. */
public final class Ledger {
    /** What a request did. The counts depend only on the number of requests. */
    public enum Count {
        REQUESTS, ANSWERS, IN_MONITOR, IN_LOCK, WITH_PERMIT, CONSUMED, VIRTUAL, READ, ALLOCATED, HIDDEN
    }

    private static final int STEPS = 32; // buckets for each doubling of the latency: 3 % wide
    private static final int BUCKETS = 64 * STEPS;

    private final AtomicLong[] counts = new AtomicLong[Count.values().length];
    private final AtomicLongArray latencies = new AtomicLongArray(BUCKETS);
    private final long measuredFrom;

    /** measuredFrom: requests that are due earlier do not count as latencies. */
    Ledger(long measuredFrom) {
        this.measuredFrom = measuredFrom;
        for (int i = 0; i < counts.length; i++) {
            counts[i] = new AtomicLong();
        }
    }

    public void add(Count count, long number) {
        counts[count.ordinal()].addAndGet(number);
    }

    public void finish(long answer, long dueNanos) {
        add(Count.REQUESTS, 1);
        add(Count.ANSWERS, answer);
        if (dueNanos >= measuredFrom) {
            latencies.incrementAndGet(findBucket(Math.max(1, System.nanoTime() - dueNanos)));
        }
    }

    private static int findBucket(long nanos) {
        int doublings = 63 - Long.numberOfLeadingZeros(nanos);
        long step = doublings >= 5 ? (nanos >> (doublings - 5)) - STEPS : (nanos << (5 - doublings)) - STEPS;
        return doublings * STEPS + (int) step;
    }

    /** Returns the upper end of the bucket that contains this share of the latencies. */
    private long findPercentile(double share) {
        long all = 0;
        for (int i = 0; i < BUCKETS; i++) {
            all += latencies.get(i);
        }
        long rest = (long) Math.ceil(all * share);
        for (int i = 0; i < BUCKETS; i++) {
            rest -= latencies.get(i);
            if (rest <= 0) {
                int doublings = i / STEPS;
                return (long) ((i % STEPS + 1 + STEPS) / (double) STEPS * (1L << doublings));
            }
        }
        return 0;
    }

    void print() {
        for (Count count : Count.values()) {
            System.out.println("answer " + count + " " + counts[count.ordinal()]);
        }
        System.out.println("latency p50 " + findPercentile(0.5));
        System.out.println("latency p99 " + findPercentile(0.99));
        System.out.println("latency p99.9 " + findPercentile(0.999));
    }
}
