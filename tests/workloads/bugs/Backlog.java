package bugs;

import java.util.concurrent.LinkedBlockingQueue;

/** A queue without a bound: orders come faster than they are stored. */
public class Backlog {
  static final LinkedBlockingQueue<String> orders = new LinkedBlockingQueue<>();

  static void receive(int number) throws InterruptedException {
    orders.put("order " + number);
  }

  static void store(String order) throws InterruptedException {
    Thread.sleep(12);
  }

  static void serve() {
    try {
      while (true) store(orders.take());
    } catch (InterruptedException e) {
      System.out.println("left " + orders.size());
    }
  }

  public static void main(String[] args) throws Exception {
    Thread storer = new Thread(Backlog::serve, "storer");
    storer.start();
    for (int i = 0; i < 1_000; i++) {
      receive(i);
      Thread.sleep(2);
    }
    storer.interrupt();
    storer.join();
  }
}
