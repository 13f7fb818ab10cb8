import java.util.HashMap;
import java.util.Map;

/** An ordinary test without a test framework: two threads fill one cache. */
public final class CacheTest {
    private final Map<Integer, String> cache = new HashMap<>();

    public static void main(String[] args) throws InterruptedException {
        CacheTest test = new CacheTest();
        Thread even = new Thread(() -> test.fill(0), "even");
        Thread odd = new Thread(() -> test.fill(1), "odd");
        synchronized (test) { // so that both threads block
            even.start();
            odd.start();
            while (even.getState() != Thread.State.BLOCKED || odd.getState() != Thread.State.BLOCKED) {
                Thread.sleep(1);
            }
        }
        even.join();
        odd.join();
        if (test.cache.size() != 200) {
            throw new AssertionError(test.cache.size() + " entries");
        }
    }

    private void fill(int first) {
        for (int key = first; key < 200; key += 2) {
            load(key);
        }
    }

    private synchronized void load(int key) {
        try {
            Thread.sleep(1); // a slow load that holds the lock
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        cache.put(key, "value " + key);
    }
}
