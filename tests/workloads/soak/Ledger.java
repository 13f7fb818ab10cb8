package soak;

import java.util.concurrent.atomic.AtomicLong;

/** Counts of the whole run: the answers of the requests, and their latencies. */
public final class Ledger {
    /** What a request did. The counts depend only on the number of requests. */
    public enum Count {
        REQUESTS, ANSWERS, IN_MONITOR, IN_LOCK, WITH_PERMIT, CONSUMED, VIRTUAL, READ, ALLOCATED, HIDDEN
    }

    private final AtomicLong[] counts = new AtomicLong[Count.values().length];
    private final Latencies latencies = new Latencies();
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
            latencies.add(System.nanoTime() - dueNanos);
        }
    }

    void print() {
        for (Count count : Count.values()) {
            System.out.println("answer " + count + " " + counts[count.ordinal()]);
        }
        System.out.println("latency p50 " + latencies.findPercentile(0.5));
        System.out.println("latency p99 " + latencies.findPercentile(0.99));
        System.out.println("latency p99.9 " + latencies.findPercentile(0.999));
    }
}
