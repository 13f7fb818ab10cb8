package soak;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Constructor;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Serves requests at a fixed rate: {@code Load SECONDS RATE [WORK]}. Each second has its own locks, threads,
 * classes and stacks. WORK: rounds of computing for each request. Prints what it did, for tools/soak:
 *
 * <pre>
 * answer NAME NUMBER     counts that depend only on the arguments
 * latency pNN NANOS      from the moment a request was due until it was done, after the first tenth of the time
 * pauses gc MILLIS       time in garbage collections
 * </pre>
 */
public final class Load {
    private static final String[] THROWAWAY = {"soak.Store", "soak.Store$Item"};
    /** Seconds between two collections of the whole heap, which unload classes: else that happens every ten minutes. */
    private static final int UNLOAD_EVERY = 30;

    public static void main(String[] args) throws Exception {
        long seconds = Long.parseLong(args[0]);
        long rate = Long.parseLong(args[1]);
        if (args.length > 2) {
            Work.rounds = Integer.parseInt(args[2]);
        }
        Map<String, byte[]> classes = readClasses();
        long start = System.nanoTime();
        Ledger ledger = new Ledger(start + seconds * 1_000_000_000L / 10);
        Shop last = null;
        System.out.println("begun");
        for (long second = 0; second < seconds; second++) {
            Shop shop = openShop(new Loader(classes), second, ledger);
            Thread hidden = startHiddenClass(classes, second, ledger);
            for (long i = 0; i < rate; i++) {
                long request = second * rate + i;
                long due = start + request * 1_000_000_000L / rate;
                for (long left; (left = due - System.nanoTime()) > 0;) {
                    LockSupport.parkNanos(left);
                }
                shop.submit(request, due);
            }
            hidden.join();
            if (second % UNLOAD_EVERY == UNLOAD_EVERY - 1) {
                System.gc();
            }
            if (last != null) {
                last.close();
            }
            last = shop;
        }
        last.close();
        ledger.print();
        long gcMillis = 0;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            gcMillis += collector.getCollectionTime();
        }
        System.out.println("pauses gc " + gcMillis);
    }

    private static Map<String, byte[]> readClasses() throws IOException {
        Map<String, byte[]> classes = new HashMap<>();
        for (String name : THROWAWAY) {
            try (InputStream in = Load.class.getResourceAsStream(name.replace("soak.", "") + ".class")) {
                classes.put(name, in.readAllBytes());
            }
        }
        try (InputStream in = Load.class.getResourceAsStream("Hidden.class")) {
            classes.put("soak.Hidden", in.readAllBytes());
        }
        return classes;
    }

    private static Shop openShop(Loader loader, long second, Ledger ledger) throws ReflectiveOperationException {
        Constructor<?> constructor = loader.loadClass("soak.Store").getDeclaredConstructor(long.class, Ledger.class);
        constructor.setAccessible(true);
        return (Shop) constructor.newInstance(second, ledger);
    }

    /** Starts a new thread that runs a new hidden class. */
    private static Thread startHiddenClass(Map<String, byte[]> classes, long second, Ledger ledger) throws Exception {
        MethodHandles.Lookup hidden = MethodHandles.lookup().defineHiddenClass(classes.get("soak.Hidden"), true);
        Constructor<?> constructor = hidden.lookupClass().getDeclaredConstructor(long.class, Ledger.class);
        Thread thread = new Thread((Runnable) constructor.newInstance(second, ledger), "hidden-" + second);
        thread.start();
        return thread;
    }

    /** Defines the classes of one second. Delegates other classes to the loader of the workload. */
    private static final class Loader extends ClassLoader {
        private final Map<String, byte[]> classes;

        Loader(Map<String, byte[]> classes) {
            super(Load.class.getClassLoader());
            this.classes = classes;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("soak.Store")) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            byte[] bytes = classes.get(name);
            return loaded != null ? loaded : defineClass(name, bytes, 0, bytes.length);
        }
    }
}
