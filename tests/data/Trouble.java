import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The recording `deadlock`: two workers run tasks that use CPU time, then two threads wait for each other. */
final class Trouble {
  private static final Object accounts = new Object();
  private static final Object audit = new Object();
  private static final CountDownLatch bothHold = new CountDownLatch(2);

  public static void main(String[] args) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(2);
    Future<?>[] tasks = new Future<?>[4];
    for (int i = 0; i < tasks.length; i++) tasks[i] = pool.submit(Trouble::compute);
    for (Future<?> task : tasks) task.get();
    pool.shutdown();
    Thread payer = new Thread(() -> lockBoth(accounts, audit), "payer");
    Thread auditor = new Thread(() -> lockBoth(audit, accounts), "auditor");
    payer.start();
    auditor.start();
    while (payer.getState() != Thread.State.BLOCKED || auditor.getState() != Thread.State.BLOCKED) Thread.sleep(1);
    Thread.sleep(50);
    System.exit(0);
  }

  private static double compute() {
    double sum = 0;
    for (int round = 0; round < 1000; round++) sum += hash("order") + root(sum);
    return sum;
  }

  private static int hash(String text) {
    int hash = 0;
    for (int round = 0; round < 2000; round++) hash = 31 * hash + (text + round).hashCode();
    return hash & 7;
  }

  private static double root(double x) {
    double sum = 0;
    for (int i = 1; i < 2000; i++) sum += Math.sqrt(x + i);
    return sum / 1e6;
  }

  private static void lockBoth(Object first, Object second) {
    synchronized (first) {
      bothHold.countDown();
      try {
        bothHold.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      synchronized (second) {
        throw new AssertionError("no deadlock");
      }
    }
  }
}
