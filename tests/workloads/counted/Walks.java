package counted;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

/**
 * Calls {@code notify} with every kind of frame below it, again and again, for args[0] milliseconds:
 * interpreted, compiled, inlined and deoptimized code, generated code, classes that are unloaded.
 * Prints the number of calls.
 */
final class Walks {
    private static long deadline;
    private static long total;

    /** What the classes of throwaway loaders call. */
    public static void callNotify(Object lock) {
        synchronized (lock) {
            lock.notify();
        }
    }

    /** A class that many short-lived class loaders load. */
    public static final class Guest implements IntSupplier {
        private final Object lock = new Object();

        @Override
        public int getAsInt() {
            int n = 0;
            for (; n < 200; n++) {
                callNotify(lock);
            }
            return n;
        }
    }

    interface Step {
        int go(Walker w, int depth) throws Throwable;
    }

    /** What one thread does. Each method returns after it, or methods that it calls, called notify. */
    static final class Walker {
        private final Object lock = new Object();
        private final Random random;
        private final Step[] steps;
        private long calls;

        Walker(int seed) throws Exception {
            random = new Random(seed);
            MethodHandle handle = MethodHandles.lookup()
                    .findVirtual(Walker.class, "choose", MethodType.methodType(int.class, int.class));
            Method method = Walker.class.getDeclaredMethod("choose", int.class);
            InvocationHandler handler = (proxy, m, args) -> ((Walker) args[0]).choose((Integer) args[1]);
            Step proxy = (Step) Proxy.newProxyInstance(Walks.class.getClassLoader(), new Class<?>[] {Step.class}, handler);
            steps = new Step[] {
                Walker::choose,
                (w, depth) -> w.choose(depth),
                (w, depth) -> (int) handle.invokeExact(w, depth),
                (w, depth) -> (Integer) method.invoke(w, depth),
                proxy,
                (w, depth) -> w.loop(depth),
                (w, depth) -> w.doThrow(depth),
                (w, depth) -> IntStream.range(0, 2).map(i -> w.chooseSafely(depth)).sum(),
                (w, depth) -> w.recurse(depth, 5 + w.random.nextInt(30)),
            };
        }

        private void callNotifyHere() {
            synchronized (lock) {
                calls++;
                lock.notify();
                if ((calls & 1) == 0) {
                    calls++;
                    lock.notifyAll();
                }
            }
        }

        int choose(int depth) throws Throwable {
            if (depth == 0) {
                callNotifyHere();
                return 1;
            }
            return steps[random.nextInt(steps.length)].go(this, depth - 1);
        }

        int chooseSafely(int depth) {
            try {
                return choose(depth);
            } catch (Throwable e) {
                return 0;
            }
        }

        /** Is compiled while it runs. */
        private int loop(int depth) throws Throwable {
            int sum = 0;
            for (int i = 0; i < 30_000; i++) {
                sum += i ^ sum << 1;
            }
            callNotifyHere();
            return sum + choose(depth);
        }

        private int doThrow(int depth) throws Throwable {
            try {
                choose(depth);
                throw new IllegalStateException();
            } catch (IllegalStateException e) {
                callNotifyHere();
                return depth;
            }
        }

        private int recurse(int depth, int n) throws Throwable {
            return n == 0 ? choose(depth) : recurse(depth, n - 1) + 1;
        }

        void run() {
            while (System.currentTimeMillis() < deadline) {
                for (int i = 0; i < 50; i++) {
                    chooseSafely(1 + random.nextInt(4));
                }
            }
            add(calls);
        }
    }

    private static synchronized void add(long calls) {
        total += calls;
    }

    private static byte[] read(String name) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (InputStream in = Walks.class.getResourceAsStream(name)) {
            for (int b; (b = in.read()) >= 0; ) {
                out.write(b);
            }
        }
        return out.toByteArray();
    }

    /** Loads the guest again and again; its code and its methods take the places of earlier ones. */
    private static void churn() {
        long calls = 0;
        try {
            byte[] guest = read("Walks$Guest.class");
            while (System.currentTimeMillis() < deadline) {
                ClassLoader loader = new ClassLoader(Walks.class.getClassLoader()) {
                    @Override
                    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                        return name.endsWith("$Guest") ? defineClass(name, guest, 0, guest.length)
                                : super.loadClass(name, resolve);
                    }
                };
                IntSupplier instance =
                        (IntSupplier) loader.loadClass("counted.Walks$Guest").getDeclaredConstructor().newInstance();
                for (int i = 0; i < 5; i++) {
                    calls += instance.getAsInt();
                }
                if (calls % 50_000 == 0) {
                    System.gc();
                }
            }
        } catch (IOException | ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
        add(calls);
    }

    public static void main(String[] args) throws Exception {
        deadline = System.currentTimeMillis() + Long.parseLong(args[0]);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            threads.add(new Thread(new Walker(i)::run));
        }
        threads.add(new Thread(Walks::churn));
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("calls " + total);
    }
}
