package whatif;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Tasks mostly wait for a slow service, in a pool of three threads. After: six threads. */
public final class SmallPool extends Experiment {
  private final AtomicInteger threads = new AtomicInteger();

  public static void main(String[] args) throws Exception {
    new SmallPool().measure(args);
  }

  @Override
  public long work() throws Exception {
    ExecutorService pool =
        Executors.newFixedThreadPool(
            isAfter ? 6 : 3, run -> new Thread(run, "worker-" + threads.incrementAndGet()));
    List<Future<Integer>> tasks = new ArrayList<>();
    int requests = count(1500);
    for (int i = 0; i < requests; i++) tasks.add(pool.submit(this::request));
    long units = 0;
    for (Future<Integer> task : tasks) units += task.get();
    pool.shutdown();
    return units;
  }

  private int request() throws InterruptedException {
    Cpu.burn(300);
    Thread.sleep(5);
    return 1;
  }
}
