package usecases;

import counted.Spelling;

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

    private static Runnable often(Runnable work) {
        return () -> {
            for (int i = 0; i < TIMES; i++) {
                work.run();
            }
        };
    }

    public static void main(String[] args) throws Exception {
        Facts.join(Facts.start("billing", often(Billing::bill)),
                Facts.start("shipping", often(Shipping::ship)));
        Facts.say("object", Spelling.hash(Billing.LOCK));
    }
}
