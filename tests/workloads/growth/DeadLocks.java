package growth;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Makes locks that die together, and then some that live: {@code DeadLocks COUNT FILE}. It acquires each of COUNT
 * locks, lets them die, and prints "made all". Until FILE exists, it collects garbage. Then it makes the locks that live, and
 * prints "acquired HASH N" for each. No two of its locks have the same hash, except for two dead ones.
 */
final class DeadLocks {
    private static final int LIVING = 200;
    private static final List<ReentrantLock> living = new ArrayList<>();

    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[0]);
        Path file = Paths.get(args[1]);
        Set<Integer> hashes = new HashSet<>();
        List<ReentrantLock> dying = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ReentrantLock lock = new ReentrantLock();
            hashes.add(System.identityHashCode(lock));
            dying.add(lock);
            acquire(lock, 2);
        }
        dying = null;
        System.out.println("made all");
        while (!Files.exists(file)) {
            System.gc();
            Thread.sleep(200);
        }
        while (living.size() < LIVING) {
            ReentrantLock lock = new ReentrantLock();
            if (hashes.add(System.identityHashCode(lock))) {
                living.add(lock);
            }
        }
        for (int i = 0; i < LIVING; i++) {
            acquire(living.get(i), i + 1);
            System.out.printf("acquired %08X %d%n", System.identityHashCode(living.get(i)), i + 1);
        }
        System.out.println("done");
    }

    private static void acquire(ReentrantLock lock, int times) {
        for (int i = 0; i < times; i++) {
            lock.lock();
            lock.unlock();
        }
    }
}
