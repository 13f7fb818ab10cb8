package growth;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Makes things for a moment each, so that little lives at the same time: {@code Churn KIND COUNT [stay]}. At
 * each tenth of COUNT it prints {@code KIND made NUMBER rss KB}, after a garbage collection. With {@code stay}
 * it then prints "made all", and makes one thing after the other, slowly, until a signal ends it. It goes on
 * collecting garbage, as classes are unloaded by nothing else.
 */
final class Churn {
    private static final int STACK_DEPTH = 30;

    /** Makes the thing with this number, and lets it cause an event. */
    private interface Maker {
        void make(int number) throws Exception;
    }

    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[1]);
        boolean stays = args.length > 2;
        Maker maker = findMaker(args[0]);
        if (maker == null) {
            System.out.println("skipped this JDK has none");
            return;
        }
        for (int i = 1; i <= count; i++) {
            maker.make(i);
            if (i % Math.max(1, count / 10) == 0) {
                System.gc();
                Thread.sleep(300); // the JVM tells its agents of unloaded classes a little later
                System.out.println(args[0] + " made " + i + " rss " + readRss());
            }
        }
        System.out.println("made all");
        for (int i = count + 1; stays; i++) {
            maker.make(i);
            Thread.sleep(10);
            if (i % 250 == 0) {
                System.gc();
            }
        }
    }

    private static Maker findMaker(String kind) throws Exception {
        switch (kind) {
            case "hidden":
                return findHidden();
            case "loaders":
                byte[] bytes = readThrowaway();
                return number -> run(new Loader(bytes).loadClass(Throwaway.class.getName()));
            case "virtual":
                return findVirtual();
            case "threads":
                return number -> {
                    Thread thread = new Thread(Churn::touchNewObject);
                    thread.start();
                    thread.join();
                };
            case "locks":
                return number -> useNewLock();
            case "kept-locks":
                List<ReentrantLock> kept = new ArrayList<>();
                return number -> kept.add(useNewLock());
            case "objects":
                return number -> touchNewObject();
            case "stacks":
                return number -> descend(number, STACK_DEPTH);
            default:
                throw new IllegalArgumentException(kind);
        }
    }

    private static ReentrantLock useNewLock() {
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        lock.unlock();
        return lock;
    }

    private static void touchNewObject() {
        Object object = new Object();
        synchronized (object) {
            object.notifyAll();
        }
    }

    /** Gets to the event by one of 2^STACK_DEPTH stacks. */
    private static void descend(int number, int depth) {
        if (depth == 0) {
            touchNewObject();
        } else if ((number & 1) == 0) {
            descend(number >> 1, depth - 1);
        } else {
            descend(number >> 1, depth - 1);
        }
    }

    private static void run(Class<?> throwaway) throws Exception {
        ((Runnable) throwaway.getDeclaredConstructor().newInstance()).run();
    }

    /** {@code Lookup.defineHiddenClass}, from JDK 15 on. */
    private static Maker findHidden() throws Exception {
        for (Method method : MethodHandles.Lookup.class.getMethods()) {
            if (method.getName().equals("defineHiddenClass")) {
                byte[] bytes = readThrowaway();
                MethodHandles.Lookup lookup = MethodHandles.lookup();
                Class<?> option = method.getParameterTypes()[2].getComponentType();
                Object none = Array.newInstance(option, 0);
                return number -> {
                    Object hidden = method.invoke(lookup, bytes, true, none);
                    run(((MethodHandles.Lookup) hidden).lookupClass());
                };
            }
        }
        return null;
    }

    /** {@code Thread.startVirtualThread}, from JDK 21 on. */
    private static Maker findVirtual() {
        try {
            Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
            Runnable run = Churn::touchNewObject;
            return number -> ((Thread) start.invoke(null, run)).join();
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    private static byte[] readThrowaway() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (InputStream in = Churn.class.getResourceAsStream("Throwaway.class")) {
            for (int b; (b = in.read()) != -1;) {
                out.write(b);
            }
        }
        return out.toByteArray();
    }

    private static String readRss() throws IOException {
        byte[] status = Files.readAllBytes(Paths.get("/proc/self/status"));
        for (String line : new String(status, StandardCharsets.US_ASCII).split("\n")) {
            if (line.startsWith("VmRSS:")) {
                return line.replaceAll("\\D", "");
            }
        }
        return "0";
    }

    /** Defines the throw-away class itself; delegates other classes to the loader of the workload. */
    private static final class Loader extends ClassLoader {
        private final byte[] bytes;

        Loader(byte[] bytes) {
            super(Churn.class.getClassLoader());
            this.bytes = bytes;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals(Throwaway.class.getName())) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : defineClass(name, bytes, 0, bytes.length);
        }
    }
}
