package soak;

import java.lang.reflect.Method;

/** Starts virtual threads, from JDK 21 on. Uses reflection, so that JDK 17 compiles it. */
public final class Threads {
    private static final Object BUILDER = findBuilder();
    private static final Method NAME = find("name", String.class);
    private static final Method START = find("start", Runnable.class);

    private Threads() {}

    private static Object findBuilder() {
        try {
            return Thread.class.getMethod("ofVirtual").invoke(null);
        } catch (NoSuchMethodException e) {
            return null;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Method find(String name, Class<?> parameter) {
        try {
            return BUILDER == null ? null : Class.forName("java.lang.Thread$Builder").getMethod(name, parameter);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Starts a virtual thread, or a platform thread if the JDK has no virtual ones. */
    public static Thread start(Runnable task, String name) {
        if (BUILDER == null) {
            Thread thread = new Thread(task, name);
            thread.start();
            return thread;
        }
        try {
            synchronized (BUILDER) { // a builder is not safe for use by several threads
                NAME.invoke(BUILDER, name);
                return (Thread) START.invoke(BUILDER, task);
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
