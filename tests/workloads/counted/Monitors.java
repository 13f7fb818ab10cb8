package counted;

/** Contended monitors of several kinds of objects, entered in every way. */
final class Monitors {
    private static Thread owner;

    public static void main(String[] args) throws Exception {
        Tally.runWorkload(() -> {
            owner = Thread.currentThread();
            rounds(countContention(new Object()));
            receivers();
            recursive(countContention(new Object()));
            uncontended(countContention(new Object()));
            methods(countContention(new Counter()), countContention(Counter.class));
            thrown(countContention(new Object()));
        });
    }

    private static <T> T countContention(T o) {
        return Tally.countContention(o, owner);
    }

    private static void blockOnce(Object lock, Body enter) throws Exception {
        Contention.blockOnce(lock, enter, Tally::startThread);
    }

    private static void rounds(Object lock) throws Exception {
        for (int i = 0; i < 20; i++) {
            Contention.blockOnce(lock);
        }
    }

    private static void receivers() throws Exception {
        Object[] all = {
            new int[1], new Object[0][], new StringBuilder(), Monitors.class, new Thread(),
        };
        for (Object o : all) {
            Contention.blockOnce(countContention(o));
        }
    }

    /** Only the outermost of nested entries blocks. */
    private static void recursive(Object lock) throws Exception {
        for (int i = 0; i < 3; i++) {
            blockOnce(lock, () -> {
                synchronized (lock) {
                    Contention.enter(lock);
                    Contention.enter(lock);
                }
            });
        }
    }

    private static void uncontended(Object lock) throws InterruptedException {
        for (int i = 0; i < 1000; i++) {
            Contention.enter(lock);
        }
        Tally.joinThread(Tally.startThread("alone", () -> Contention.enter(lock)));
    }

    private static void methods(Counter counter, Class<?> all) throws Exception {
        blockOnce(counter, counter::increment);
        blockOnce(all, Counter::incrementAll);
    }

    private static final class Counter {
        private static int all;
        private int one;

        synchronized void increment() {
            one++;
        }

        static synchronized void incrementAll() {
            all++;
        }
    }

    /** A monitor that is exited by an exception. */
    private static void thrown(Object lock) throws Exception {
        Body enter = () -> {
            synchronized (lock) {
                throw new IllegalStateException();
            }
        };
        blockOnce(lock, () -> Tally.expectThrow(IllegalStateException.class, enter));
        Contention.enter(lock);
    }
}
