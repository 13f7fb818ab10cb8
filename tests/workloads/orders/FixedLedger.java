package orders;

/** The solution of the problem: what to write is taken under the monitor, and written outside of it. */
final class FixedLedger extends Ledger {
    @Override
    void closeBooks() throws InterruptedException {
        String books = total();
        if (!books.isEmpty()) {
            Thread.sleep(CLOSING_TIME);
        }
    }
}
