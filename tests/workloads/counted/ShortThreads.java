package counted;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Virtual threads, most of which end at once: {@code ShortThreads MILLIS}. Each measures its life itself. The main
 * thread measures how long those that it joins can have lived at most. Prints {@code submitted NUMBER},
 * {@code started NUMBER}, and for each thread {@code thread HASH AT_LEAST_NANOS AT_MOST_NANOS}.
 */
public final class ShortThreads {
    private static final int ROUNDS = 200;
    private static final Semaphore permits = new Semaphore(1);

    private static long threshold;
    private static int submitted;
    private static int started;

    public static void main(String[] args) throws Exception {
        if (!Virtual.areSupported()) {
            System.out.println("skipped this JDK has no virtual threads");
            return;
        }
        threshold = Long.parseLong(args[0]) * 1_000_000;
        List<Life> lives = new ArrayList<>();
        ExecutorService pool = newPool();
        for (int i = 0; i < ROUNDS; i++) {
            Life life = new Life(i % 100 >= 98 ? "wait" : i % 2 == 0 ? "nothing" : "permit");
            lives.add(life);
            if (i % 4 == 0) {
                submit(pool, life).get(); // the thread may live on
            } else {
                life.before = System.nanoTime();
                started++;
                Thread thread = Virtual.unstarted("", life);
                thread.start();
                thread.join();
                life.ended = System.nanoTime();
            }
        }
        pool.shutdown();
        System.out.println("submitted " + submitted);
        System.out.println("started " + (started + submitted));
        for (Life life : lives) {
            life.print();
        }
        System.out.println("end");
    }

    private static Future<?> submit(ExecutorService pool, Life life) {
        submitted++;
        return pool.submit(life);
    }

    /** Uses reflection, so that older JDKs compile it. */
    private static ExecutorService newPool() throws Exception {
        Method make = Newer.find(Executors.class, "newVirtualThreadPerTaskExecutor");
        return (ExecutorService) Newer.call(make, null);
    }

    private static final class Life implements Runnable {
        private final String work;
        private int hash;
        private long before, begun, done, ended; // 0: not measured

        Life(String work) {
            this.work = work;
        }

        @Override
        public void run() {
            begun = System.nanoTime();
            hash = System.identityHashCode(Thread.currentThread());
            try {
                work();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            done = System.nanoTime();
        }

        private void work() throws InterruptedException {
            if (work.equals("nothing")) {
                return;
            }
            permits.acquire();
            permits.release();
            CountDownLatch never = new CountDownLatch(1);
            while (work.equals("wait") && System.nanoTime() - begun < 2 * threshold) {
                never.await(threshold, TimeUnit.NANOSECONDS);
            }
        }

        void print() {
            long most = before == 0 ? Long.MAX_VALUE : ended - before;
            System.out.printf("thread %08x %d %d%n", hash, done - begun, most);
        }
    }
}
