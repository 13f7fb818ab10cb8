package usecases;

import counted.Spelling;
import java.util.concurrent.atomic.AtomicInteger;

/** Two unrelated classes lock the same string literal. */
final class SameLiteral {
    private static final int TIMES = 100;

    private static final class Billing {
        private static final String LOCK = "LOCK";

        static void bill() {
            synchronized (LOCK) {
                Facts.sleep(2);
            }
        }
    }

    private static final class Shipping {
        private static final String LOCK = "LOCK";

        static void ship() {
            synchronized (LOCK) {
                Facts.sleep(2);
            }
        }
    }

    private static final AtomicInteger bills = new AtomicInteger();
    private static final AtomicInteger shipments = new AtomicInteger();

    /** Works until both threads are done, so that they overlap even if one of them starts late. */
    private static Runnable repeat(Runnable work, AtomicInteger numDone, AtomicInteger numOthers) {
        return () -> {
            while (numDone.get() < TIMES || numOthers.get() < TIMES) {
                work.run();
                numDone.incrementAndGet();
            }
        };
    }

    public static void main(String[] args) throws Exception {
        Facts.join(Facts.start("billing", repeat(Billing::bill, bills, shipments)),
                Facts.start("shipping", repeat(Shipping::ship, shipments, bills)));
        Facts.say("object", Spelling.hash(Billing.LOCK));
        Facts.say("acquired", bills.get() + shipments.get());
    }
}
