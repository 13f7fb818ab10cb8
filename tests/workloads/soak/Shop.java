package soak;

/** What serves the requests of one second. A new loader defines the class for each second. */
public interface Shop {
    /** Begins a request. It adds its answer and its latency to the ledger when it is done. */
    void submit(long request, long dueNanos);

    /** Waits until all requests are done and all threads have ended. */
    void close() throws InterruptedException;
}
