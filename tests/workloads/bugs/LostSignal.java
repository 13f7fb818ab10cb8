package bugs;

/** A start signal that is given once, before the last worker listens. */
public class LostSignal {
  static class Gate {
    int arrived;

    synchronized void pass() throws InterruptedException {
      arrived++;
      wait();
    }

    synchronized void open() {
      notifyAll();
    }

    synchronized int arrived() {
      return arrived;
    }
  }

  static final Gate gate = new Gate();

  static void work(int number) {
    try {
      Thread.sleep(number == 5 ? 700 : 20 * number); // number 5 has more to prepare
      gate.pass();
      System.out.println("worker-" + number + " starts");
      Thread.sleep(200);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public static void main(String[] args) throws Exception {
    Thread[] workers = new Thread[5];
    for (int i = 0; i < 5; i++) {
      int number = i + 1;
      workers[i] = new Thread(() -> work(number), "worker-" + number);
      workers[i].start();
    }
    while (gate.arrived() < 4) Thread.sleep(10); // one too few
    gate.open();
    for (Thread worker : workers) worker.join();
    System.out.println("all done");
  }
}
