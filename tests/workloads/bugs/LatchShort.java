package bugs;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A request waits for four parts. The task of one part throws before it counts down. */
public class LatchShort {
  static final ExecutorService parts = Executors.newFixedThreadPool(2, r -> new Thread(r, "part"));
  static final ExecutorService requests = Executors.newFixedThreadPool(1, r -> new Thread(r, "request"));
  static final ScheduledExecutorService ticker = Executors.newScheduledThreadPool(1, r -> new Thread(r, "ticker"));

  static void fetch(int request, int part, CountDownLatch done) {
    try {
      Thread.sleep(20);
    } catch (InterruptedException e) {
      return;
    }
    if (request == 3 && part == 2) throw new IllegalStateException("no such part");
    done.countDown();
  }

  static void answer(int request) {
    CountDownLatch done = new CountDownLatch(4);
    for (int i = 1; i <= 4; i++) {
      int part = i;
      parts.submit(() -> fetch(request, part, done));
    }
    try {
      done.await();
      System.out.println("request " + request + " is answered");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public static void main(String[] args) throws Exception {
    ticker.scheduleAtFixedRate(() -> {}, 100, 100, TimeUnit.MILLISECONDS);
    for (int i = 1; i <= 5; i++) {
      int request = i;
      requests.submit(() -> answer(request));
    }
  }
}
