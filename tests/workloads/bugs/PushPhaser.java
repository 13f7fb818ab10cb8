package bugs;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Each message of a campaign registers at a phaser; one with an unexpected exception is never deregistered.
 * Of wultra/powerauth-push-server, https://github.com/wultra/powerauth-push-server/pull/94.
 */
public class PushPhaser {
  static class ApnsClient {
    String send(int device) throws InterruptedException {
      Thread.sleep(4);
      String token = device == 777 ? null : "token-" + device;
      return token.substring(6);
    }
  }

  static class PushMessageSenderService {
    private final AtomicInteger threads = new AtomicInteger();
    private final ExecutorService executor =
        Executors.newFixedThreadPool(3, r -> new Thread(r, "apns-client-" + threads.incrementAndGet()));
    private final ApnsClient apns = new ApnsClient();

    int sendCampaign(int firstDevice, int devices) {
      Phaser phaser = new Phaser(1);
      AtomicInteger sent = new AtomicInteger();
      for (int device = firstDevice; device < firstDevice + devices; device++) {
        int id = device;
        phaser.register();
        executor.submit(() -> {
          try {
            apns.send(id);
            sent.incrementAndGet();
            phaser.arriveAndDeregister();
          } catch (InterruptedException e) {
            phaser.arriveAndDeregister();
          }
        });
      }
      phaser.arriveAndAwaitAdvance();
      return sent.get();
    }
  }

  public static void main(String[] args) throws Exception {
    PushMessageSenderService service = new PushMessageSenderService();
    Thread runner = new Thread(() -> {
      for (int i = 0; i < 200; i++) System.out.println("campaign " + i + ": " + service.sendCampaign(i * 20, 20));
    }, "campaign-runner");
    runner.start();
    Thread health = new Thread(() -> {
      try {
        while (true) Thread.sleep(400);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }, "health-check");
    health.setDaemon(true);
    health.start();
    runner.join();
  }
}
