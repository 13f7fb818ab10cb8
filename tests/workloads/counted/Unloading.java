package counted;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/** Loads classes, whose objects wait and are locks, and lets the JVM unload them. */
final class Unloading {
    private static final int LOADERS = 60;
    private static final String GUEST = "counted.Guest";

    public static void main(String[] args) throws Exception {
        byte[] bytes = readGuest(); // in main, as the JDK uses locks here
        Tally.runWorkload(() -> {
            List<WeakReference<Class<?>>> classes = new ArrayList<>();
            for (int i = 0; i < LOADERS; i++) {
                classes.add(new WeakReference<>(visit(bytes)));
                if (i % 10 == 9) {
                    System.gc();
                }
            }
            awaitUnloading(classes);
        });
    }

    /** Loads and uses a guest. Only the caller keeps its class. */
    private static Class<?> visit(byte[] bytes) throws Exception {
        Class<?> guests = new Loader(bytes).loadClass(GUEST);
        Runnable guest = (Runnable) guests.getDeclaredConstructor().newInstance();
        guest.run();
        Contention.blockOnce(Tally.countContention(guest, Thread.currentThread()));
        Contention.blockOnce(Tally.countContention(guests, Thread.currentThread()));
        return guests;
    }

    private static void awaitUnloading(List<WeakReference<Class<?>>> classes) {
        for (int tries = 0; tries < 50; tries++) {
            System.gc();
            if (classes.stream().filter(c -> c.get() == null).count() > LOADERS / 2) {
                return;
            }
        }
        throw new AssertionError("the classes were not unloaded");
    }

    private static byte[] readGuest() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (InputStream in = Unloading.class.getResourceAsStream("Guest.class")) {
            for (int b; (b = in.read()) != -1;) {
                out.write(b);
            }
        }
        return out.toByteArray();
    }

    /** Defines the guest; delegates other classes to the loader of the workload. */
    private static final class Loader extends ClassLoader {
        private final byte[] bytes;

        Loader(byte[] bytes) {
            super(Unloading.class.getClassLoader());
            this.bytes = bytes;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals(GUEST)) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : defineClass(name, bytes, 0, bytes.length);
        }
    }
}
