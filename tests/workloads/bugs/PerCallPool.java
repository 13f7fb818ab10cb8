package bugs;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Each probe makes a pool for its time limit, and never shuts it down. */
public class PerCallPool {
  static boolean probe(int number) throws InterruptedException {
    ScheduledExecutorService limit = Executors.newScheduledThreadPool(1);
    Thread caller = Thread.currentThread();
    var alarm = limit.schedule(caller::interrupt, 30, TimeUnit.SECONDS);
    Thread.sleep(Integer.getInteger("ask", 1)); // asks the service
    alarm.cancel(false);
    return number >= 0;
  }

  public static void main(String[] args) throws Exception {
    long end = System.nanoTime() + 6_000_000_000L;
    int probes = 0;
    while (System.nanoTime() < end && probes < Integer.getInteger("probes", 3000)) {
      probe(probes++);
    }
    Thread.sleep(500);
    System.out.println("probes " + probes + ", threads " + Thread.activeCount());
    System.exit(0);
  }
}
