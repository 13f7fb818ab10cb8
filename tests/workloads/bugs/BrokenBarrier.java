package bugs;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** Three workers meet after each round. One of them throws in round 4, and the others wait for it. */
public class BrokenBarrier {
  static final CyclicBarrier rounds = new CyclicBarrier(3);
  static final int[] cells = new int[10];

  static void work(int number) {
    try {
      for (int round = 1;; round++) {
        Thread.sleep(10 * number);
        cells[round * number]++; // number 3 goes too far in round 4
        rounds.await();
      }
    } catch (InterruptedException | BrokenBarrierException e) {
      Thread.currentThread().interrupt();
    }
  }

  public static void main(String[] args) throws Exception {
    Thread[] workers = new Thread[3];
    for (int i = 0; i < workers.length; i++) {
      int number = i + 1;
      workers[i] = new Thread(() -> work(number), "worker-" + number);
      workers[i].start();
    }
    Thread metrics = new Thread(() -> {
      try {
        while (true) Thread.sleep(250);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }, "metrics");
    metrics.setDaemon(true);
    metrics.start();
    for (Thread worker : workers) worker.join();
    System.out.println("all rounds done");
  }
}
