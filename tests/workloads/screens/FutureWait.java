package screens;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Main waits for a future that nobody completes. */
public final class FutureWait {
  public static void main(String[] args) throws Exception {
    Thread killer = new Thread(FutureWait::end, "killer");
    killer.setDaemon(true);
    killer.start();
    waitForReply(new CompletableFuture<>());
  }

  private static String waitForReply(CompletableFuture<String> reply) throws Exception {
    return reply.get();
  }

  private static void end() {
    try {
      TimeUnit.MILLISECONDS.sleep(1500);
    } catch (InterruptedException e) {
      return;
    }
    Runtime.getRuntime().halt(0);
  }
}
