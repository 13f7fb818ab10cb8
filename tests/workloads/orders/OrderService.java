package orders;

import java.util.ArrayList;
import java.util.List;

/**
 * A small order service, as an example for the profiler. The thread "counter" puts orders into a
 * bounded queue. The "worker" threads compute the price of each order, enter it in the ledger and
 * ship it. The thread "audit" closes the books from time to time.
 *
 * <p>A profile must show three facts: Most CPU time is spent in {@link Pricing#simulatePrice}. The
 * workers are blocked most on the {@link Ledger}. The owner of its monitor is then "audit".
 */
public final class OrderService {
    private static final int ORDERS = Integer.getInteger("orders", 300);
    private static final int WORKERS = 4;
    private static final int AUDIT_PAUSE = 25; // milliseconds

    private final OrderQueue queue = new OrderQueue(8);
    private final Ledger ledger;
    private final LoadingDock dock = new LoadingDock();
    private long turnover; // guarded by this

    private OrderService(boolean isFixed) {
        ledger = isFixed ? new FixedLedger() : new Ledger();
    }

    /** With the argument "fixed" the audit does not block the workers. */
    public static void main(String[] args) throws InterruptedException {
        boolean isFixed = args.length > 0 && args[0].equals("fixed");
        Pricing.calibrate();
        new OrderService(isFixed).serve();
    }

    private void serve() throws InterruptedException {
        long start = System.nanoTime();
        Thread audit = new Thread(this::audit, "audit");
        audit.setDaemon(true);
        audit.start();
        List<Thread> staff = new ArrayList<>();
        staff.add(new Thread(this::takeOrders, "counter"));
        for (int i = 1; i <= WORKERS; i++) {
            staff.add(new Thread(this::handleOrders, "worker-" + i));
        }
        for (Thread thread : staff) {
            thread.start();
        }
        for (Thread thread : staff) {
            thread.join();
        }
        report((System.nanoTime() - start) / 1_000_000);
    }

    private void takeOrders() {
        try {
            for (int i = 0; i < ORDERS; i++) {
                queue.put(new Order(i));
            }
            queue.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void handleOrders() {
        try {
            for (Order order; (order = queue.take()) != null;) {
                handle(order);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void handle(Order order) throws InterruptedException {
        long price = Pricing.simulatePrice(order);
        ledger.enter(order);
        dock.ship(order);
        synchronized (this) {
            turnover += price;
        }
    }

    private void audit() {
        try {
            while (true) {
                Thread.sleep(AUDIT_PAUSE);
                ledger.closeBooks();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void report(long milliseconds) {
        long hundreds = (turnover + 5_000) / 10_000;
        System.out.println("sold " + ledger.total() + " for about " + hundreds + "00 in "
                + milliseconds + " ms");
    }
}
