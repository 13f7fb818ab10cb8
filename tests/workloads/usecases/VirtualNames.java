package usecases;

import counted.Spelling;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Virtual threads without a name, started at two places in a known order. A JDK without virtual
 * threads only says so. The methods are called by reflection, so that older JDKs compile this.
 */
final class VirtualNames {
    private static final int THREADS = 12;

    /** Blocks the threads, so that they are on the way at the same time. */
    private static final Object gate = new Object();

    private static String pass() {
        synchronized (gate) {
            Facts.sleep(1);
        }
        return Spelling.hash(Thread.currentThread());
    }

    private static void say(String how, String place, List<String> hashes) {
        Facts.say(how, place);
        for (int i = 0; i < hashes.size(); i++) {
            Facts.say(how + "-" + (i + 1), hashes.get(i));
        }
    }

    private static void startAlone(Method start) throws Exception {
        List<Thread> threads = new ArrayList<>();
        List<String> hashes = new ArrayList<>();
        String place = "";
        for (int i = 0; i < THREADS; i++) {
            Runnable run = VirtualNames::pass;
            place = Facts.here(); threads.add((Thread) start.invoke(null, run));
        }
        for (Thread thread : threads) {
            thread.join();
            hashes.add(Spelling.hash(thread));
        }
        say("alone", place, hashes);
    }

    private static void startPooled(Method make) throws Exception {
        ExecutorService executor = (ExecutorService) make.invoke(null);
        List<Future<String>> futures = new ArrayList<>();
        List<String> hashes = new ArrayList<>();
        String place = "";
        for (int i = 0; i < THREADS; i++) {
            place = Facts.here(); futures.add(executor.submit(VirtualNames::pass));
        }
        for (Future<String> future : futures) {
            hashes.add(future.get());
        }
        executor.shutdown();
        say("pooled", place, hashes);
    }

    public static void main(String[] args) throws Exception {
        Method start;
        try {
            start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        } catch (NoSuchMethodException e) {
            Facts.say("threads", 0);
            return;
        }
        startAlone(start);
        startPooled(Executors.class.getMethod("newVirtualThreadPerTaskExecutor"));
        Facts.say("threads", THREADS);
    }
}
