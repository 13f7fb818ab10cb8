package counted;

import static counted.Call.LOCK;
import static counted.Call.METHOD;
import static counted.Call.SLEEP;
import static counted.Call.UNLOCK;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Methods of the program, to be recorded with the option track: counted.Methods$Shop.* and
 * {@literal @}counted.Methods$Timed, but not counted.Methods$Shop.left*. Each method counts its entry
 * and its exit. "thrown SIGNATURE" is the class of an exception that left a method.
 */
final class Methods {
    @Retention(RetentionPolicy.RUNTIME)
    @interface Timed {}

    public static void main(String[] args) throws Exception {
        Tally.runWorkload(() -> {
            Shop shop = new Shop(3);
            Tally.check(shop.fib(6) == 8);
            Tally.check(shop.sum(1, 2L, 3.5f, 4.25) == 10.75);
            Tally.check(Shop.twice("a").equals("aa"));
            shop.left();
            shop.leftToo();
            for (int depth = 0; depth < 4; depth++) {
                int at = depth;
                Tally.expectThrow(IllegalStateException.class, () -> shop.fall(at));
            }
            Tally.check(shop.caught() == 1);
            shop.inside();
            new Other().timed();
            new Other().untimed();
            new Sub().size();
            Tally.joinThread(Tally.startThread("another", () -> shop.fib(4)));
        });
    }

    private static void countExit(String thrown) {
        if (thrown != null) {
            Tally.addLine("thrown " + thrown);
        }
        Tally.countExit(METHOD, null);
    }

    static class Shop {
        private final int size;
        private final ReentrantLock lock = new ReentrantLock();

        Shop(int size) {
            Tally.countEntry(METHOD, null);
            this.size = size;
            countExit(null);
        }

        int fib(int n) {
            Tally.countEntry(METHOD, null);
            int result = n < 2 ? n : fib(n - 1) + fib(n - 2);
            countExit(null);
            return result;
        }

        final double sum(int a, long b, float c, double d) {
            Tally.countEntry(METHOD, null);
            double result = a + b + c + d;
            countExit(null);
            return result;
        }

        static synchronized String twice(String s) {
            Tally.countEntry(METHOD, null);
            countExit(null);
            return s + s;
        }

        /** Matches the option, but is excluded by it. */
        void left() {}

        void leftToo() {}

        void fall(int depth) {
            Tally.countEntry(METHOD, null);
            if (depth == 0) {
                countExit("Ljava/lang/IllegalStateException;");
                throw new IllegalStateException();
            }
            try {
                fall(depth - 1);
            } finally {
                countExit("Ljava/lang/IllegalStateException;");
            }
        }

        int caught() {
            Tally.countEntry(METHOD, null);
            int caught = 0;
            try {
                fall(1);
            } catch (IllegalStateException e) {
                caught++;
            }
            countExit(null);
            return caught;
        }

        /** Recorded calls inside a recorded method. */
        void inside() throws InterruptedException {
            Tally.countEntry(METHOD, null);
            Tally.count(SLEEP, null);
            Thread.sleep(1);
            Tally.count(LOCK, lock);
            lock.lock();
            Tally.count(UNLOCK, lock);
            lock.unlock();
            countExit(null);
        }

        synchronized int size() {
            Tally.countEntry(METHOD, null);
            int result = size;
            countExit(null);
            return result;
        }

        /** Never called. The agent reports it as a method that cannot be recorded. */
        native void foreign();
    }

    static final class Other {
        @Timed
        void timed() {
            Tally.countEntry(METHOD, null);
            countExit(null);
        }

        void untimed() {}
    }

    /** An inherited method belongs to the class that declares it. */
    static final class Sub extends Shop {
        Sub() {
            super(1);
        }
    }
}
