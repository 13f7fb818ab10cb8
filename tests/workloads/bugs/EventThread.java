package bugs;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A client that delivers answers and events on one thread; an event handler waits for an answer. */
public class EventThread {
  static final ExecutorService events = Executors.newSingleThreadExecutor(task -> new Thread(task, "event-thread"));
  static final ScheduledExecutorService wire =
      Executors.newScheduledThreadPool(1, task -> new Thread(task, "wire"));

  static CompletableFuture<String> read(String path) {
    CompletableFuture<String> answer = new CompletableFuture<>();
    wire.schedule(() -> events.execute(() -> answer.complete("data of " + path)), 20, TimeUnit.MILLISECONDS);
    return answer;
  }

  static void nodeChanged(String path) {
    System.out.println("changed: " + read(path + "/rack").join());
  }

  static void poll(String path) {
    for (int i = 0; ; i++) {
      String data = read(path + "/" + i).join();
      if (data == null) return;
    }
  }

  public static void main(String[] args) throws Exception {
    for (int i = 1; i <= 3; i++) {
      String path = "/bookies/" + i;
      new Thread(() -> poll(path), "client-" + i).start();
    }
    Thread.sleep(500);
    System.out.println("an event arrives");
    events.execute(() -> nodeChanged("/bookies"));
  }
}
