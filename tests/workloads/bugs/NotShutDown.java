package bugs;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A program ends its main method, but not its client. */
public class NotShutDown {
  static class PulsarClient {
    private final AtomicInteger number = new AtomicInteger();
    private final ExecutorService io =
        Executors.newFixedThreadPool(2, r -> new Thread(r, "pulsar-client-io-" + number.incrementAndGet()));
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(r -> {
      Thread thread = new Thread(r, "pulsar-timer");
      thread.setDaemon(true);
      return thread;
    });
    private int keepAlives;

    PulsarClient() {
      timer.scheduleAtFixedRate(() -> keepAlives++, 300, 300, TimeUnit.MILLISECONDS);
    }

    <T> T call(Callable<T> request) throws Exception {
      return io.submit(request).get();
    }

    void close() {
      timer.shutdown();
      io.shutdown();
    }
  }

  static String produce(int message) throws InterruptedException {
    Thread.sleep(5);
    return "ack " + message;
  }

  public static void main(String[] args) throws Exception {
    PulsarClient client = new PulsarClient();
    int length = 0;
    for (int i = 0; i < 50; i++) {
      int message = i;
      length += client.call(() -> produce(message)).length();
    }
    System.out.println("hello world " + length); // without close: the JVM does not end
  }
}
