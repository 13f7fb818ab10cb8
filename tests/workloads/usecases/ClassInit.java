package usecases;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Two threads initialize a class at the same moment, and again with a new class of the same name. The
 * program itself locks no int[].
 */
final class ClassInit {
    private static final int ROUNDS = 10_000;
    private static final int THREADS = 2;

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
                    Thread.yield();
                }
                initialize(classes[i]);
            }
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        byte[] bytes = readSlow();
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
        Facts.say("place", initialize(classes[0]));
    }
}
