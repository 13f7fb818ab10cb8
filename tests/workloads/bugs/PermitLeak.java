package bugs;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** A permit that is not given back when the work throws. */
public class PermitLeak {
  static final Semaphore parsers = new Semaphore(3);
  static final AtomicInteger number = new AtomicInteger();
  static final AtomicInteger failed = new AtomicInteger();

  static int prepare(String document) throws InterruptedException {
    parsers.acquire();
    Thread.sleep(15);
    int size = Integer.parseInt(document);
    parsers.release();
    return size;
  }

  static void annotate() {
    while (true) {
      int next = number.incrementAndGet();
      try {
        prepare(next % 60 == 0 ? "n/a" : "" + next);
      } catch (NumberFormatException e) {
        failed.incrementAndGet();
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  public static void main(String[] args) throws Exception {
    for (int i = 1; i <= 6; i++) new Thread(PermitLeak::annotate, "annotator-" + i).start();
    Thread.sleep(2500);
    System.out.println("documents " + number + ", failed " + failed + ", free permits " + parsers.availablePermits()
        + ", waiting " + parsers.getQueueLength());
  }
}
