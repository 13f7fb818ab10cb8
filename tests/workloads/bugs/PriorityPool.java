package bugs;

import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Urgent jobs go to the front of the queue, but both threads are taken by exports that nobody can interrupt. */
public class PriorityPool {
  static final AtomicInteger exports = new AtomicInteger();
  static final AtomicInteger urgent = new AtomicInteger();
  static volatile long worst;
  static final AtomicInteger number = new AtomicInteger();

  static class Job implements Runnable, Comparable<Job> {
    final int priority;
    final Runnable work;
    final long order = System.nanoTime();

    Job(int priority, Runnable work) {
      this.priority = priority;
      this.work = work;
    }

    @Override
    public void run() {
      work.run();
    }

    @Override
    public int compareTo(Job other) {
      return priority != other.priority ? Integer.compare(other.priority, priority) : Long.compare(order, other.order);
    }
  }

  static void export() {
    try {
      Thread.sleep(900); // sends rows to a slow receiver
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    exports.incrementAndGet();
  }

  static void alarm(long submitted) {
    worst = Math.max(worst, System.nanoTime() - submitted);
    urgent.incrementAndGet();
  }

  public static void main(String[] args) throws Exception {
    ThreadPoolExecutor jobs = new ThreadPoolExecutor(2, 2, 0, TimeUnit.SECONDS, new PriorityBlockingQueue<>(),
        task -> new Thread(task, "job-" + number.incrementAndGet()));
    for (int i = 0; i < 100; i++) jobs.execute(new Job(1, PriorityPool::export));
    long end = System.nanoTime() + 7_000_000_000L;
    while (System.nanoTime() < end) {
      Thread.sleep(150);
      long now = System.nanoTime();
      jobs.execute(new Job(9, () -> alarm(now)));
    }
    System.out.println("exports " + exports + ", urgent jobs " + urgent + ", one waited " + worst / 1_000_000 + " ms");
    System.exit(0);
  }
}
