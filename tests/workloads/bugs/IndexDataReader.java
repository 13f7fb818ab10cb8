package bugs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The consumers end by an exception that stays in a Future that nobody asks; the producer blocks when the queue is full.
 * Of apache/maven-indexer, https://github.com/apache/maven-indexer/pull/314 (MINDEXER-188).
 */
public class IndexDataReader {
  static class Document {
    final int id;
    final String uinfo;

    Document(int id) {
      this.id = id;
      uinfo = id % 611 == 610 ? null : "org.apache|artifact|" + id;
    }
  }

  static class IndexWriter {
    private final AtomicInteger added = new AtomicInteger();

    void addDocument(Document document) throws InterruptedException {
      String[] parts = document.uinfo.split("\\|");
      if (parts.length == 3) added.incrementAndGet();
      Thread.sleep(1);
    }
  }

  static final ArrayBlockingQueue<Document> queue = new ArrayBlockingQueue<>(100);
  static final IndexWriter writer = new IndexWriter();

  static void consume() throws InterruptedException {
    while (true) {
      Document document = queue.take();
      if (document.id < 0) return;
      writer.addDocument(document);
    }
  }

  static void readIndex() throws InterruptedException {
    for (int i = 0; i < 100_000; i++) queue.put(new Document(i));
    queue.put(new Document(-1));
  }

  public static void main(String[] args) throws Exception {
    startService();
    AtomicInteger next = new AtomicInteger();
    ExecutorService executor = Executors.newFixedThreadPool(2, r -> {
      Thread thread = new Thread(r, "maven-indexer-worker-" + next.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    });
    List<Future<?>> done = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      done.add(executor.submit(() -> {
        consume();
        return null;
      }));
    }
    Thread reader = daemon("index-update-reader", () -> {
      readIndex();
      for (Future<?> each : done) each.get();
    });
    reader.join();
  }

  static void startService() throws IOException {
    ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    daemon("nexus-web-acceptor", () -> {
      while (true) server.accept().close();
    });
    daemon("wagon-keepalive", () -> {
      while (true) Thread.sleep(777);
    });
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(r -> {
      Thread thread = new Thread(r, "nexus-task-timer");
      thread.setDaemon(true);
      return thread;
    });
    timer.scheduleAtFixedRate(() -> reported++, 100, 477, TimeUnit.MILLISECONDS);
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
