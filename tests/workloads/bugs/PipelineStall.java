package bugs;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Scanners block the common pool until there is room; the only consumer waits for a task of that pool. */
public class PipelineStall {
  static final Semaphore room = new Semaphore(8);
  static final LinkedBlockingQueue<String> found = new LinkedBlockingQueue<>();
  static volatile int indexed;

  static void scan(int volume) {
    try {
      for (int i = 0; i < 100_000; i++) {
        room.acquire();
        found.add("volume " + volume + " document " + i);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Asks again a little later, as the first answer is often not complete. */
  static String language(String document) {
    return CompletableFuture.supplyAsync(
            () -> document.length() % 2 == 0 ? "en" : "de",
            CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS))
        .join();
  }

  static void index() {
    try {
      while (true) {
        String document = found.take();
        language(document);
        indexed++;
        room.release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public static void main(String[] args) throws Exception {
    CompletableFuture<?>[] scans = new CompletableFuture<?>[3];
    for (int i = 0; i < 3; i++) {
      int volume = i;
      scans[i] = CompletableFuture.runAsync(() -> scan(volume));
    }
    Thread indexer = new Thread(PipelineStall::index, "indexer");
    indexer.setDaemon(true);
    indexer.start();
    Thread.sleep(1000);
    System.out.println("after 1 s indexed " + indexed + ", waiting in the queue " + found.size());
    CompletableFuture.allOf(scans).join();
  }
}
