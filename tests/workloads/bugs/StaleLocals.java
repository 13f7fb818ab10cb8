package bugs;

import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Each request makes a lock, and with it a ThreadLocal, that the map of the thread keeps until it cleans up. */
public class StaleLocals {
  static final ThreadLocal<?>[] kept = new ThreadLocal<?>[20_000];
  static long sum;

  static void request(int number) {
    ReentrantReadWriteLock first = new ReentrantReadWriteLock();
    ReentrantReadWriteLock second = new ReentrantReadWriteLock();
    first.readLock().lock();
    second.readLock().lock();
    sum += number;
    // leaves the locks held, as a task that was cancelled does
    ThreadLocal<byte[]> buffer = ThreadLocal.withInitial(() -> new byte[16]);
    sum += buffer.get().length;
    kept[number % kept.length] = buffer;
  }

  public static void main(String[] args) throws Exception {
    long end = System.nanoTime() + 6_000_000_000L;
    Thread worker = new Thread(() -> {
      int requests = 0;
      while (System.nanoTime() < end) request(requests++);
      System.out.println("requests " + requests);
    }, "netty-worker");
    worker.start();
    worker.join();
  }
}
