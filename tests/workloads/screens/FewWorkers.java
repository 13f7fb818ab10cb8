package screens;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Tasks wait in the queue of a pool whose threads are all busy. The arguments are what they are busy
 * with, and the number of threads of the pool:
 *
 * <ul>
 *   <li>sleep: twice as many threads make the program twice as fast;
 *   <li>compute: there are twice as many threads as CPUs, so more threads gain nothing;
 *   <li>lock: each task sleeps under one lock, so more threads gain nothing.
 * </ul>
 *
 * Prints how long the work took.
 */
public final class FewWorkers {
  private static final int TASKS = 240;
  private static final Object LEDGER = new Ledger();
  private static volatile double sink;

  public static void main(String[] args) throws Exception {
    int processors = Runtime.getRuntime().availableProcessors();
    int threads = args.length > 1 ? Integer.parseInt(args[1]) : 4;
    if (args[0].equals("compute")) threads = 2 * processors;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    long begin = System.nanoTime();
    List<Future<?>> tasks = new ArrayList<>();
    for (int i = 0; i < TASKS; i++) tasks.add(pool.submit(() -> serve(args[0])));
    for (Future<?> task : tasks) task.get();
    System.out.println("fact work " + (System.nanoTime() - begin) / 1000000);
    pool.shutdown();
  }

  private static void serve(String how) {
    if (how.equals("sleep")) askService();
    if (how.equals("compute")) simulate();
    if (how.equals("lock")) book();
  }

  private static void askService() {
    sleep(20);
  }

  private static void simulate() {
    double x = 1;
    for (int i = 0; i < 1500000; i++) x = Math.sqrt(x + i);
    sink = x;
  }

  private static void book() {
    synchronized (LEDGER) {
      sleep(5);
    }
  }

  private static void sleep(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static final class Ledger {}
}
