package bugs;

import java.util.concurrent.locks.ReentrantLock;

/** A thread throws between lock and unlock, and ends. The lock stays locked. */
public class DeadOwner {
  static final ReentrantLock ledger = new ReentrantLock();
  static int balance = 3;

  static void book(int amount) {
    ledger.lock();
    balance = 1000 / (balance - amount); // throws when the balance is the amount
    ledger.unlock();
  }

  static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public static void main(String[] args) throws Exception {
    Thread heartbeat = new Thread(() -> {
      while (true) pause(100);
    }, "heartbeat");
    heartbeat.start();
    for (int i = 1; i <= 3; i++) {
      int number = i;
      new Thread(() -> {
        pause(200 * number);
        book(number == 1 ? 3 : 1);
        System.out.println("teller-" + number + " is done");
      }, "teller-" + i).start();
    }
  }
}
