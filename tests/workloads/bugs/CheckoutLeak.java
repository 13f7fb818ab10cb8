package bugs;

import java.util.ArrayDeque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A pool of connections; a connection is lost when the statement throws. */
public class CheckoutLeak {
  static class DatabaseException extends RuntimeException {
    DatabaseException(String message) {
      super(message);
    }
  }

  static class Connection {
    int sendQuery(int id) throws InterruptedException {
      Thread.sleep(4);
      if (id % 60 == 59) throw new DatabaseException("This channel is not active and can not take messages");
      return id;
    }
  }

  static class ObjectPool {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notEmpty = lock.newCondition();
    private final ArrayDeque<Connection> poolables = new ArrayDeque<>();

    ObjectPool(int size) {
      for (int i = 0; i < size; i++) poolables.add(new Connection());
    }

    Connection take() throws InterruptedException {
      lock.lock();
      try {
        while (poolables.isEmpty()) notEmpty.await();
        return poolables.poll();
      } finally {
        lock.unlock();
      }
    }

    void giveBack(Connection connection) {
      lock.lock();
      try {
        poolables.add(connection);
        notEmpty.signal();
      } finally {
        lock.unlock();
      }
    }
  }

  static final ObjectPool pool = new ObjectPool(4);
  static final AtomicInteger ids = new AtomicInteger();
  static final AtomicInteger failed = new AtomicInteger();

  static void use() throws InterruptedException {
    Connection connection = pool.take();
    connection.sendQuery(ids.incrementAndGet()); // no finally
    pool.giveBack(connection);
  }

  public static void main(String[] args) throws Exception {
    AtomicInteger number = new AtomicInteger();
    ExecutorService dispatcher = Executors.newFixedThreadPool(
        5, r -> new Thread(r, "akka.actor.default-dispatcher-" + number.incrementAndGet()));
    for (int i = 0; i < 5; i++) {
      dispatcher.execute(() -> {
        while (true) {
          try {
            use();
          } catch (DatabaseException e) {
            failed.incrementAndGet();
          } catch (InterruptedException e) {
            return;
          }
        }
      });
    }
    dispatcher.shutdown();
    while (!dispatcher.awaitTermination(1, TimeUnit.SECONDS)) System.out.println("queries " + ids + ", failed " + failed);
  }
}
