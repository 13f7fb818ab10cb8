package usecases;

import counted.Spelling;
import java.util.concurrent.atomic.AtomicInteger;

/** Two classes that have nothing to do with each other lock the same literal. */
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

    /** On until the other has come as far: whichever begins late finds the other one at work. */
    private static Runnable often(Runnable work, AtomicInteger done, AtomicInteger others) {
        return () -> {
            while (done.get() < TIMES || others.get() < TIMES) {
                work.run();
                done.incrementAndGet();
            }
        };
    }

    public static void main(String[] args) throws Exception {
        Facts.join(Facts.start("billing", often(Billing::bill, bills, shipments)),
                Facts.start("shipping", often(Shipping::ship, shipments, bills)));
        Facts.say("object", Spelling.hash(Billing.LOCK));
        Facts.say("acquired", bills.get() + shipments.get());
    }
}
