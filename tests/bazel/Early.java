import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.concurrent.CountDownLatch;

/**
 * Makes a thread wait for a lock 100 times, in some of its runs. The first argument says in
 * which:
 *
 * <pre>
 * calm      none; the other arguments are those of calm_locks_test
 * early N   the first N; the folder in $EARLY_RUNS counts them
 * deadlock  none, but the threads deadlock
 * inverse   none, but the threads acquire two locks in opposite orders, one after the other
 * exit N    none, but the exit status is N
 * </pre>
 */
public final class Early {
    private static final Object first = new Object();
    private static final Object second = new Object();

    private static int countRun(Path folder) throws IOException {
        for (int run = 1;; run++) {
            try {
                Files.createFile(folder.resolve("early-" + run));
                return run;
            } catch (FileAlreadyExistsException e) {
                continue;
            }
        }
    }

    private static void hold(long millis, CountDownLatch held) {
        synchronized (first) {
            held.countDown();
            long end = System.nanoTime() + millis * 1_000_000;
            while (System.nanoTime() < end) { }
        }
    }

    /**
     * The thread main waits for the lock 100 times, or acquires it when it is free. So many waits are too many
     * for the budget even if the machine is loaded, which makes its limits grow.
     */
    private static void contend(boolean waits) throws InterruptedException {
        for (int i = 0; i < 100; i++) acquire(waits);
    }

    private static void acquire(boolean waits) throws InterruptedException {
        CountDownLatch held = new CountDownLatch(1);
        Thread holder = new Thread(() -> hold(waits ? 5 : 0, held), "holder");
        holder.start();
        held.await();
        if (!waits) holder.join();
        synchronized (first) { }
        holder.join();
    }

    private static void nest(Object outer, Object inner, CountDownLatch both) {
        synchronized (outer) {
            both.countDown();
            try {
                both.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            synchronized (inner) { }
        }
    }

    /** The threads meet between their locks if both of them count. */
    private static void nestBoth(boolean meet) throws InterruptedException {
        CountDownLatch both = new CountDownLatch(meet ? 2 : 1);
        Thread there = new Thread(() -> nest(first, second, both), "there");
        there.start();
        if (!meet) there.join();
        Thread back = new Thread(() -> nest(second, first, both), "back");
        back.start();
        there.join();
        back.join();
    }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "calm":
                if (args.length != 3 || !args[1].equals("a word with 'quotes' and $dollars")
                        || !Files.exists(Paths.get(args[2]))) {
                    throw new AssertionError(String.join("|", args));
                }
                contend(false);
                break;
            case "early":
                Path folder = Paths.get(System.getenv("EARLY_RUNS"));
                contend(countRun(folder) <= Integer.parseInt(args[1]));
                break;
            case "deadlock":
                nestBoth(true);
                break;
            case "inverse":
                nestBoth(false);
                break;
            case "exit":
                System.exit(Integer.parseInt(args[1]));
                break;
            default:
                throw new IllegalArgumentException(args[0]);
        }
    }
}
