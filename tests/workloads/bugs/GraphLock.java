package bugs;

import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** An export holds the read lock for long; an editor waits for the write lock, and all readers behind it. */
public class GraphLock {
  static final ReentrantReadWriteLock graph = new ReentrantReadWriteLock();
  static final LongAdder frames = new LongAdder();
  static int nodes;
  static long end;

  static void render() {
    while (System.nanoTime() < end) {
      graph.readLock().lock();
      try {
        int sum = 0;
        for (int i = 0; i < 20_000; i++) sum += i ^ nodes;
        if (sum == 42) System.out.println("?");
      } finally {
        graph.readLock().unlock();
      }
      frames.increment();
      pause(3);
    }
  }

  static void export() {
    while (System.nanoTime() < end) {
      graph.readLock().lock();
      try {
        pause(900); // writes to a slow share
      } finally {
        graph.readLock().unlock();
      }
      pause(100);
    }
  }

  static void edit() {
    while (System.nanoTime() < end) {
      pause(50);
      graph.writeLock().lock();
      try {
        nodes++;
      } finally {
        graph.writeLock().unlock();
      }
    }
  }

  static void pause(long ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    end = System.nanoTime() + 7_000_000_000L;
    Thread[] threads = new Thread[6];
    for (int i = 0; i < 4; i++) threads[i] = new Thread(GraphLock::render, "render-" + (i + 1));
    threads[4] = new Thread(GraphLock::export, "export");
    threads[5] = new Thread(GraphLock::edit, "editor");
    for (Thread t : threads) t.start();
    for (Thread t : threads) t.join();
    System.out.println("frames " + frames + " (alone it would be about 8,000), edits " + nodes);
  }
}
