package soak;

/** A class that is hidden, and new in each second. */
final class Hidden implements Runnable {
    private final long second;
    private final Ledger ledger;

    Hidden(long second, Ledger ledger) {
        this.second = second;
        this.ledger = ledger;
    }

    @Override
    public synchronized void run() {
        try {
            wait(20); // nobody notifies: it times out, and is longer than the threshold
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        ledger.add(Ledger.Count.HIDDEN, 1 + second);
    }
}
