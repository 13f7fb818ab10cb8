package counted;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Runs many kinds of code whose stacks are hard to unwind, for args[0] milliseconds. */
final class Torture {
    private static volatile long sink;
    private static long deadline;

    interface Operation {
        int apply(int x);
    }

    /** A class that many short-lived class loaders load. */
    public static final class Guest implements Supplier<Integer> {
        @Override
        public Integer get() {
            int sum = 0;
            for (int i = 0; i < 20_000; i++) {
                sum += i ^ (sum << 1);
            }
            return sum;
        }
    }

    interface Work {
        void run() throws Throwable;
    }

    public static void main(String[] args) throws Exception {
        deadline = System.currentTimeMillis() + Long.parseLong(args[0]);
        byte[] guest = read("Torture$Guest.class");
        List<Thread> threads = new ArrayList<>();
        for (Work work : new Work[] {
            () -> sink += deep(60), () -> sink += endless(0), Torture::callMany, () -> load(guest), Torture::churn,
            Torture::allocate, Torture::stream, Torture::virtual,
        }) {
            Thread thread = new Thread(() -> repeat(work));
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("ended");
    }

    private static byte[] read(String name) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (InputStream in = Torture.class.getResourceAsStream(name)) {
            for (int b; (b = in.read()) >= 0; ) {
                out.write(b);
            }
        }
        return out.toByteArray();
    }

    private static void repeat(Work work) {
        while (System.currentTimeMillis() < deadline) {
            try {
                work.run();
            } catch (Throwable e) {
                sink++;
            }
        }
    }

    private static int deep(int n) {
        if (n > 0) {
            return 1 + deep(n - 1);
        }
        if ((sink++ & 3) == 0) {
            throw new IllegalStateException();
        }
        return 1;
    }

    private static int endless(int n) {
        return 1 + endless(n + 1);
    }

    private static void callMany() {
        Operation[] operations = {x -> x + 1, x -> x * 3, x -> x ^ 7};
        Random random = new Random(1);
        int sum = 0;
        for (int i = 0; i < 10_000; i++) {
            sum = operations[random.nextInt(3)].apply(sum);
        }
        sink += sum;
    }

    private static void load(byte[] guest) throws Exception {
        ClassLoader loader = new ClassLoader(null) {
            @Override
            protected Class<?> findClass(String name) {
                return defineClass(name, guest, 0, guest.length);
            }
        };
        Object object = loader.loadClass("counted.Torture$Guest").getDeclaredConstructor().newInstance();
        for (int i = 0; i < 50; i++) {
            object.getClass().getMethod("get").invoke(object);
        }
    }

    private static void churn() throws Exception {
        Thread thread = new Thread(() -> {
            int sum = 0;
            for (int i = 0; i < 50_000; i++) {
                sum += i * i;
            }
            sink += sum;
        });
        thread.start();
        thread.join();
    }

    private static void allocate() {
        byte[] from = new byte[1 << 16];
        byte[] to = new byte[1 << 16];
        List<byte[]> kept = new LinkedList<>();
        for (int i = 0; i < 2000; i++) {
            System.arraycopy(from, 0, to, 0, from.length);
            Arrays.fill(from, (byte) i);
            kept.add(new byte[1000]);
        }
        System.gc();
        sink += kept.size();
    }

    private static void stream() {
        sink += IntStream.range(0, 10_000).mapToObj(i -> "v" + i).filter(s -> s.hashCode() % 3 == 0).count();
    }

    /** Runs virtual threads, if this JDK has them. */
    private static void virtual() throws Exception {
        ExecutorService executor;
        try {
            executor = (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (NoSuchMethodException e) {
            Thread.sleep(100);
            return;
        }
        for (int i = 0; i < 200; i++) {
            executor.submit(() -> {
                Thread.yield();
                sink += deep(200);
                Thread.sleep(1);
                return deep(30);
            });
        }
        executor.shutdown();
        executor.awaitTermination(10, TimeUnit.SECONDS);
    }
}
