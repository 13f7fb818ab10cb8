package usecases;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Two threads initialize a class at the same moment, and again with a new class of the same name, until
 * they have blocked each other some times. The program itself locks no int[], and nothing else that both
 * threads need.
 */
final class ClassInit {
    private static final int ROUNDS = 2_000;
    private static final int MAX_TURNS = 50;
    private static final int THREADS = 2;
    private static final long ENOUGH = 20;

    private static final AtomicLong blocked = new AtomicLong(); // how often a thread had to wait

    /** The JVM links it before it initializes it. */
    static final class Slow {
        static int value = 1;

        static int loop(int n) {
            int sum = 0;
            for (int i = 0; i < n; i++) {
                sum += i % 2 == 0 ? Integer.valueOf(i).hashCode() : Long.valueOf(i).hashCode();
            }
            return sum;
        }
    }

    /** Defines its own Slow. */
    private static final class Loader extends ClassLoader {
        private final byte[] bytes;

        Loader(byte[] bytes) {
            super(null);
            this.bytes = bytes;
        }

        @Override
        protected Class<?> findClass(String name) {
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    private static byte[] readSlow() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] part = new byte[4096];
        try (InputStream in = ClassInit.class.getResourceAsStream("ClassInit$Slow.class")) {
            for (int n; (n = in.read(part)) > 0;) {
                out.write(part, 0, n);
            }
        }
        return out.toByteArray();
    }

    private static String initialize(Class<?> slow) throws ClassNotFoundException {
        String place = Facts.here(); Class.forName(slow.getName(), true, slow.getClassLoader());
        return place;
    }

    /** The threads arrive at each class together. */
    private static void initializeAll(Class<?>[] classes, AtomicInteger arrived) {
        try {
            for (int i = 0; i < ROUNDS; i++) {
                arrived.incrementAndGet();
                while (arrived.get() < THREADS * (i + 1)) {
                    // Does not yield: both shall go on at the same moment.
                }
                initialize(classes[i]);
            }
            blocked.addAndGet(ManagementFactory.getThreadMXBean()
                    .getThreadInfo(Thread.currentThread().getId()).getBlockedCount());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static void takeTurn(byte[] bytes) throws Exception {
        Class<?>[] classes = new Class<?>[ROUNDS];
        AtomicInteger arrived = new AtomicInteger();
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < ROUNDS; i++) {
            classes[i] = Class.forName("usecases.ClassInit$Slow", false, new Loader(bytes));
        }
        for (int i = 0; i < THREADS; i++) {
            threads[i] = Facts.start("initializer-" + i, () -> initializeAll(classes, arrived));
        }
        Facts.join(threads);
    }

    public static void main(String[] args) throws Exception {
        byte[] bytes = readSlow();
        ManagementFactory.getThreadMXBean().getThreadInfo(Thread.currentThread().getId()); // loads its classes
        for (int turn = 0; turn < MAX_TURNS && blocked.get() < ENOUGH; turn++) {
            takeTurn(bytes);
        }
        Facts.say("place", initialize(Slow.class));
    }
}
