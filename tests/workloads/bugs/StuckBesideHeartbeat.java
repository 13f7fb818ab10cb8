package bugs;

import java.util.HashMap;
import java.util.Map;

/** A cache whose loader throws for one key, so the thread that waits for the value is never notified. A heartbeat runs on. */
public class StuckBesideHeartbeat {
  static class Cache {
    final Map<String, String> values = new HashMap<>();

    synchronized String await(String key) throws InterruptedException {
      while (!values.containsKey(key)) wait();
      return values.get(key);
    }

    synchronized void put(String key, String value) {
      values.put(key, value);
      notifyAll();
    }
  }

  static final Cache cache = new Cache();

  static void load(int number) {
    try {
      Thread.sleep(50 * number);
      cache.put("key-" + number, "" + 12 / (number - 5));
    } catch (ArithmeticException | InterruptedException e) {
      System.out.println("loader-" + number + ": " + e.getMessage());
    }
  }

  static void read(int number) {
    try {
      System.out.println("reader-" + number + " has " + cache.await("key-" + number));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static void beat() {
    for (long beats = 0;; beats++) {
      try {
        Thread.sleep(100);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  public static void main(String[] args) throws Exception {
    new Thread(StuckBesideHeartbeat::beat, "heartbeat").start();
    Thread[] readers = new Thread[5];
    for (int i = 0; i < readers.length; i++) {
      int number = i + 1;
      readers[i] = new Thread(() -> read(number), "reader-" + number);
      readers[i].start();
      new Thread(() -> load(number), "loader-" + number).start();
    }
    for (Thread reader : readers) reader.join();
    System.out.println("all read");
  }
}
