package counted;

import static counted.Call.LOCK;
import static counted.Call.METHOD;
import static counted.Call.SLEEP;
import static counted.Call.UNLOCK;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Methods of the program's own, to be recorded with track=counted.Methods$Shop.* and
 * {@literal @}counted.Methods$Timed, less counted.Methods$Shop.left*. Each says itself that it begins
 * and ends; "thrown SIGNATURE" says what left one.
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

    private static void leave(String thrown) {
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
            leave(null);
        }

        int fib(int n) {
            Tally.countEntry(METHOD, null);
            int result = n < 2 ? n : fib(n - 1) + fib(n - 2);
            leave(null);
            return result;
        }

        final double sum(int a, long b, float c, double d) {
            Tally.countEntry(METHOD, null);
            double result = a + b + c + d;
            leave(null);
            return result;
        }

        static synchronized String twice(String s) {
            Tally.countEntry(METHOD, null);
            leave(null);
            return s + s;
        }

        /** Chosen, and then left out. */
        void left() {}

        void leftToo() {}

        void fall(int depth) {
            Tally.countEntry(METHOD, null);
            if (depth == 0) {
                leave("Ljava/lang/IllegalStateException;");
                throw new IllegalStateException();
            }
            try {
                fall(depth - 1);
            } finally {
                leave("Ljava/lang/IllegalStateException;");
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
            leave(null);
            return caught;
        }

        /** Recorded calls inside of a method count as anywhere. */
        void inside() throws InterruptedException {
            Tally.countEntry(METHOD, null);
            Tally.count(SLEEP, null);
            Thread.sleep(1);
            Tally.count(LOCK, lock);
            lock.lock();
            Tally.count(UNLOCK, lock);
            lock.unlock();
            leave(null);
        }

        synchronized int size() {
            Tally.countEntry(METHOD, null);
            int result = size;
            leave(null);
            return result;
        }

        /** Is never called: it is named as what cannot be recorded. */
        native void foreign();
    }

    static final class Other {
        @Timed
        void timed() {
            Tally.countEntry(METHOD, null);
            leave(null);
        }

        void untimed() {}
    }

    /** Inherited methods are those of the class that has them. */
    static final class Sub extends Shop {
        Sub() {
            super(1);
        }
    }
}
