package bugs;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/** An event loop, one of whose events waits for what a later event of the same loop does. */
public class OwnLoop {
  static final LinkedBlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
  static final CountDownLatch saved = new CountDownLatch(1);

  static void loop() {
    try {
      while (true) events.take().run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static void close() {
    try {
      events.put(saved::countDown);
      saved.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public static void main(String[] args) throws Exception {
    new Thread(OwnLoop::loop, "event-loop").start();
    for (int i = 0; i < 50; i++) {
      events.put(() -> {});
      Thread.sleep(10);
    }
    events.put(OwnLoop::close);
    while (true) {
      events.put(() -> {});
      Thread.sleep(200);
    }
  }
}
