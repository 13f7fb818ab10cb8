package counted;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Virtual threads that initialize the same classes at the same time, and so block on the lock that the
 * JVM has for each class, an empty int[]. Then one blocks on an empty int[] of the program.
 */
final class ClassLocks {
    private static final int CLASSES = 200;
    private static final int THREADS = 30;
    private static final long SLOWNESS = 200_000; // ns

    private static volatile boolean isOpen;

    /** Takes its time to initialize. */
    static final class Slow {
        static final long end = System.nanoTime() + SLOWNESS;

        static {
            while (System.nanoTime() < end) {
                // keeps other threads waiting
            }
        }
    }

    /** Initializes the Slow of its own loader. */
    public static final class User implements Runnable {
        public User() {}

        @Override
        public void run() {
            Tally.check(Slow.end != 0);
        }
    }

    public static void main(String[] args) throws Exception {
        if (!Virtual.areSupported()) {
            System.out.println("skipped this JDK has no virtual threads");
            return;
        }
        Runnable[] users = new Runnable[CLASSES];
        for (int i = 0; i < users.length; i++) {
            Class<?> user = new Loader().loadClass(User.class.getName());
            users[i] = (Runnable) user.getDeclaredConstructor().newInstance();
        }
        Tally.runWorkload(() -> {
            initialize(users);
            blockOnArray();
        });
    }

    private static void initialize(Runnable[] users) throws Exception {
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = Virtual.start("initializer-" + i, () -> {
                while (!isOpen) {
                    Tally.yieldBriefly();
                }
                for (Runnable user : users) {
                    user.run();
                }
            });
        }
        isOpen = true;
        for (Thread thread : threads) {
            Tally.joinThread(thread);
        }
    }

    private static void blockOnArray() throws Exception {
        int[] lock = Tally.countContention(new int[0], Thread.currentThread());
        Contention.blockOnce(lock, () -> {
            int n = 0;
            synchronized (lock) { // the next instruction must not be able to initialize a class (contention.c)
                n++;
            }
            Tally.check(n == 1);
        }, Virtual::start);
    }

    /** Defines Slow and User itself; delegates other classes to the loader of the workload. */
    private static final class Loader extends ClassLoader {
        Loader() {
            super(ClassLocks.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            boolean isOwn = name.equals(Slow.class.getName()) || name.equals(User.class.getName());
            return isOwn ? define(name) : super.loadClass(name, resolve);
        }

        private Class<?> define(String name) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                for (int b; (b = in.read()) != -1;) {
                    out.write(b);
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            return defineClass(name, out.toByteArray(), 0, out.size());
        }
    }
}
