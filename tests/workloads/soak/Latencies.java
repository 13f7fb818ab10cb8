package soak;

import java.util.concurrent.atomic.AtomicLongArray;

/** A histogram of durations, for several threads. A percentile is at most 3 % too long. */
public final class Latencies {
    private static final int STEP_BITS = 5; // buckets for each doubling: 32
    private static final int STEPS = 1 << STEP_BITS;
    private static final int BUCKETS = 64 * STEPS;

    private final AtomicLongArray counts = new AtomicLongArray(BUCKETS);

    public void add(long nanos) {
        counts.incrementAndGet(findBucket(Math.max(1, nanos)));
    }

    public void clear() {
        for (int i = 0; i < BUCKETS; i++) {
            counts.set(i, 0);
        }
    }

    private static int findBucket(long nanos) {
        int doublings = 63 - Long.numberOfLeadingZeros(nanos);
        int shift = doublings - STEP_BITS;
        long steps = shift >= 0 ? nanos >> shift : nanos << -shift;
        return doublings * STEPS + (int) (steps - STEPS);
    }

    /** Returns the nanoseconds at the upper end of the bucket that contains this share; 0: nothing was added. */
    public long findPercentile(double share) {
        long all = 0;
        for (int i = 0; i < BUCKETS; i++) {
            all += counts.get(i);
        }
        long rest = (long) Math.ceil(all * share);
        for (int i = 0; i < BUCKETS && all > 0; i++) {
            rest -= counts.get(i);
            if (rest <= 0) {
                return (long) ((i % STEPS + 1 + STEPS) / (double) STEPS * (1L << i / STEPS));
            }
        }
        return 0;
    }
}
