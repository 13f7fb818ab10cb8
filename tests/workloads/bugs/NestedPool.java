package bugs;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Each report asks for its chapters on the pool that makes the reports. Three at once keep all its threads. */
public class NestedPool {
  static final AtomicInteger threads = new AtomicInteger();
  static final ExecutorService pool = Executors.newFixedThreadPool(3, r -> new Thread(r, "report-" + threads.incrementAndGet()));

  static int chapter(int number) throws InterruptedException {
    Thread.sleep(20);
    return number * 7;
  }

  static int report(int chapters) throws Exception {
    List<Callable<Integer>> parts = new ArrayList<>();
    for (int i = 0; i < chapters; i++) {
      int number = i;
      parts.add(() -> chapter(number));
    }
    int length = 0;
    Thread.sleep(50); // reads the head of the report
    for (Future<Integer> part : pool.invokeAll(parts)) length += part.get();
    return length;
  }

  public static void main(String[] args) throws Exception {
    Thread ticker = new Thread(() -> {
      try {
        while (true) Thread.sleep(200);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }, "ticker");
    ticker.setDaemon(true);
    ticker.start();
    System.out.println("one report: " + pool.submit(() -> report(4)).get());
    List<Future<Integer>> reports = new ArrayList<>();
    for (int i = 0; i < 3; i++) reports.add(pool.submit(() -> report(4)));
    for (Future<Integer> report : reports) System.out.println("report: " + report.get());
    pool.shutdown();
  }
}
