package faults;

import java.lang.management.ManagementFactory;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.CountDownLatch;

/**
 * Very many threads or classes. {@code Crowd alive N}: N threads that live at the same time. {@code
 * Crowd births N SECONDS}: N threads a second, which end at once. {@code Crowd loaders N}: N classes,
 * each of a loader of its own. Prints "threads N", or "unloaded N", the classes that the JVM has
 * unloaded.
 */
public final class Crowd {
    private Crowd() {}

    /** A class that each loader defines anew. */
    public static final class Member {
        public Member() {
            synchronized (this) {
                notifyAll();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int num = Integer.parseInt(args[1]);
        switch (args[0]) {
            case "alive":
                keepAlive(num);
                break;
            case "births":
                giveBirth(num, Integer.parseInt(args[2]));
                break;
            case "loaders":
                loadClasses(num);
                break;
            default:
                throw new IllegalArgumentException(args[0]);
        }
    }

    private static Thread newThread(Runnable body, int number) {
        return new Thread(null, body, "crowd-" + number, 128 << 10);
    }

    private static void keepAlive(int num) throws InterruptedException {
        CountDownLatch born = new CountDownLatch(num);
        CountDownLatch end = new CountDownLatch(1);
        Thread[] threads = new Thread[num];
        for (int i = 0; i < num; i++) {
            threads[i] = newThread(() -> {
                born.countDown();
                awaitUninterruptibly(end);
            }, i);
            threads[i].start();
        }
        born.await();
        Thread.sleep(1000); // samples of all of them
        end.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("threads " + num);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void giveBirth(int perSecond, int seconds) throws InterruptedException {
        long begin = System.nanoTime();
        int num = perSecond * seconds;
        Thread last = null;
        for (int i = 0; i < num; i++) {
            last = newThread(() -> {}, i);
            last.start();
            long due = begin + i * (1_000_000_000L / perSecond);
            long early = due - System.nanoTime();
            if (early > 1_000_000) {
                Thread.sleep(early / 1_000_000);
            }
        }
        last.join();
        System.out.println("threads " + num);
    }

    private static void loadClasses(int num) throws Exception {
        URL[] path = {Crowd.class.getProtectionDomain().getCodeSource().getLocation()};
        long before = ManagementFactory.getClassLoadingMXBean().getUnloadedClassCount();
        for (int i = 1; i <= num; i++) {
            try (URLClassLoader loader = new URLClassLoader(path, null)) {
                loader.loadClass(Member.class.getName()).getConstructor().newInstance();
            }
            if (i % 1000 == 0) {
                System.gc();
            }
        }
        System.gc();
        long after = ManagementFactory.getClassLoadingMXBean().getUnloadedClassCount();
        System.out.println("unloaded " + (after - before));
    }
}
