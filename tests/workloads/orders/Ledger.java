package orders;

/** The books of the shop. One monitor guards them, and closing the books holds it for a long time. */
class Ledger {
    static final int CLOSING_TIME = 60; // milliseconds, as on a slow disk

    private int orders;
    private int pieces;

    synchronized void enter(Order order) {
        orders++;
        pieces += order.pieces;
    }

    /** Simulates a slow write of the books under the monitor, which blocks the workers: the problem to find. */
    synchronized void closeBooks() throws InterruptedException {
        Thread.sleep(CLOSING_TIME);
    }

    synchronized String total() {
        return orders + " orders, " + pieces + " pieces";
    }
}
