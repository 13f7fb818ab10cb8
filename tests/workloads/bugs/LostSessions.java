package bugs;

import java.util.ArrayDeque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Handlers share three sessions. A request that fails does not give its session back. */
public class LostSessions {
  static final ReentrantLock lock = new ReentrantLock();
  static final Condition hasSession = lock.newCondition();
  static final ArrayDeque<String> sessions = new ArrayDeque<>();
  static final AtomicInteger requests = new AtomicInteger();

  static String borrow() throws InterruptedException {
    lock.lock();
    try {
      while (sessions.isEmpty()) hasSession.await();
      return sessions.poll();
    } finally {
      lock.unlock();
    }
  }

  static void giveBack(String session) {
    lock.lock();
    try {
      sessions.add(session);
      hasSession.signal();
    } finally {
      lock.unlock();
    }
  }

  static void handle() throws InterruptedException {
    String session = borrow();
    Thread.sleep(5);
    if (requests.incrementAndGet() % 20 == 0) throw new IllegalStateException("no answer");
    giveBack(session);
  }

  static void serve() {
    try {
      while (true) {
        try {
          handle();
        } catch (IllegalStateException e) {
          Thread.sleep(1);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public static void main(String[] args) throws Exception {
    for (int i = 0; i < 3; i++) sessions.add("session " + i);
    AtomicInteger number = new AtomicInteger();
    ExecutorService handlers = Executors.newFixedThreadPool(4, r -> new Thread(r, "handler-" + number.incrementAndGet()));
    for (int i = 0; i < 4; i++) handlers.execute(LostSessions::serve);
    handlers.shutdown();
    while (!handlers.awaitTermination(1, TimeUnit.SECONDS)) System.out.println(requests);
  }
}
