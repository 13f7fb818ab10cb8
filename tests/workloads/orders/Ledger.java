package orders;

/** The books. One lock guards all of them, and closing the books keeps it for long. */
final class Ledger {
    private static final int CLOSING_TIME = 60; // milliseconds, as on a slow disk

    private int orders;
    private int pieces;

    synchronized void enter(Order order) {
        orders++;
        pieces += order.pieces;
    }

    /** Writes the books out, and nobody may enter anything meanwhile: the lock to worry about. */
    synchronized void closeBooks() throws InterruptedException {
        Thread.sleep(CLOSING_TIME);
    }

    synchronized String total() {
        return orders + " orders, " + pieces + " pieces";
    }
}
