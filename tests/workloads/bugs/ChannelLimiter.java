package bugs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * An I/O worker holds the write lock of a channel while it waits for room in the executor, whose thread needs that write lock.
 * Of netty/netty, https://github.com/netty/netty/issues/1310.
 */
public class ChannelLimiter {
  static class Limiter {
    final long limit;
    long counter;

    Limiter(long limit) {
      this.limit = limit;
    }

    synchronized void increase(long amount) throws InterruptedException {
      while (counter >= limit) wait();
      counter += amount;
    }

    synchronized void decrease(long amount) {
      counter -= amount;
      if (counter < limit) notifyAll();
    }
  }

  static class OrderedMemoryAwareThreadPoolExecutor {
    private final Limiter totalLimiter = new Limiter(64);
    private final ExecutorService workers;

    OrderedMemoryAwareThreadPoolExecutor() {
      AtomicInteger next = new AtomicInteger();
      workers = Executors.newFixedThreadPool(2, r -> new Thread(r, "OrderedMemoryAwareThreadPoolExecutor-" + next.incrementAndGet()));
    }

    void execute(Runnable task, long size) throws InterruptedException {
      totalLimiter.increase(size);
      workers.execute(() -> {
        try {
          task.run();
        } finally {
          totalLimiter.decrease(size);
        }
      });
    }
  }

  static class NioChannel {
    final Object writeLock = new Object();
    long written;

    void write(long size) {
      synchronized (writeLock) {
        written += size;
      }
    }

    void cleanUpWriteBuffer(int failed, long size) throws InterruptedException {
      synchronized (writeLock) {
        for (int i = 0; i < failed; i++) fireExceptionCaught(this, size);
      }
    }
  }

  static final OrderedMemoryAwareThreadPoolExecutor executor = new OrderedMemoryAwareThreadPoolExecutor();

  static void fireExceptionCaught(NioChannel channel, long size) throws InterruptedException {
    executor.execute(() -> channel.write(1), size);
  }

  static void fireMessageReceived(NioChannel channel, long size) throws InterruptedException {
    executor.execute(() -> {
      parse();
      channel.write(size);
    }, size);
  }

  static void parse() {
    LockSupport.parkNanos(1_500_000);
  }

  public static void main(String[] args) throws Exception {
    startService();
    long start = System.nanoTime();
    List<Thread> workers = new ArrayList<>();
    for (int i = 1; i <= 2; i++) {
      NioChannel channel = new NioChannel();
      boolean resets = i == 2;
      workers.add(daemon("New I/O worker #" + i, () -> {
        while (true) {
          fireMessageReceived(channel, 8);
          Thread.sleep(4);
          if (resets && System.nanoTime() - start > 1_200_000_000L) channel.cleanUpWriteBuffer(40, 8);
        }
      }));
    }
    for (Thread worker : workers) worker.join();
  }

  static void startService() throws IOException {
    ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    daemon("New I/O server boss #3", () -> {
      while (true) server.accept().close();
    });
    daemon("session-keepalive", () -> {
      while (true) Thread.sleep(723);
    });
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(r -> {
      Thread thread = new Thread(r, "Hashed wheel timer #1");
      thread.setDaemon(true);
      return thread;
    });
    timer.scheduleAtFixedRate(() -> reported++, 100, 423, TimeUnit.MILLISECONDS);
  }

  static volatile int reported;

  interface Body {
    void run() throws Exception;
  }

  static Thread daemon(String name, Body body) {
    Thread thread = new Thread(() -> {
      try {
        body.run();
      } catch (Exception e) {
        System.out.println(name + " ended by " + e);
      }
    }, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
