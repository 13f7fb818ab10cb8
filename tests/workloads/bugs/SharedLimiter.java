package bugs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * All consumers share a rate limiter, a semaphore that a timer refills.
 * Of pinterest/secor, https://github.com/pinterest/secor/issues/27, and google/guava, https://github.com/google/guava/issues/6205.
 */
public class SharedLimiter {
  static class RateLimiter {
    private final Semaphore permits = new Semaphore(0);
    private final int perPeriod;

    RateLimiter(int perPeriod, long periodMillis) {
      this.perPeriod = perPeriod;
      ScheduledExecutorService refill = Executors.newSingleThreadScheduledExecutor(r -> {
        Thread thread = new Thread(r, "RateLimiter-refill");
        thread.setDaemon(true);
        return thread;
      });
      refill.scheduleAtFixedRate(this::refresh, 0, periodMillis, TimeUnit.MILLISECONDS);
    }

    private void refresh() {
      int missing = perPeriod - permits.availablePermits();
      if (missing > 0) permits.release(missing);
    }

    void acquire() throws InterruptedException {
      permits.acquire();
    }
  }

  static class MessageReader {
    private final int[] offsets = new int[16];
    private final RateLimiter rateLimiter;

    MessageReader(RateLimiter rateLimiter) {
      this.rateLimiter = rateLimiter;
    }

    int read(int partition) throws InterruptedException {
      rateLimiter.acquire();
      return offsets[partition]++;
    }
  }

  static final AtomicLong consumed = new AtomicLong();

  static void consumeNextMessage(MessageReader reader, int partition) throws InterruptedException {
    int offset = reader.read(partition);
    long checksum = offset;
    for (int i = 0; i < 20_000; i++) checksum = checksum * 6364136223846793005L + i; // parses the message
    if (checksum != 42) consumed.incrementAndGet();
  }

  public static void main(String[] args) throws Exception {
    startService();
    RateLimiter limiter = new RateLimiter(20, 100);
    for (int i = 0; i < 6; i++) {
      int partition = i;
      MessageReader reader = new MessageReader(limiter);
      daemon("secor-consumer-" + i, () -> {
        while (true) consumeNextMessage(reader, partition);
      });
    }
    Thread.sleep(6500);
    System.out.println("consumed " + consumed);
  }

  static void startService() throws IOException {
    ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    daemon("ostrich-admin", () -> {
      while (true) server.accept().close();
    });
    daemon("kafka-coordinator-heartbeat-thread", () -> {
      while (true) Thread.sleep(625);
    });
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(r -> {
      Thread thread = new Thread(r, "progress-monitor");
      thread.setDaemon(true);
      return thread;
    });
    timer.scheduleAtFixedRate(() -> reported++, 100, 325, TimeUnit.MILLISECONDS);
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
