package bugs;

import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Heartbeats are put on a path with back-pressure by the only timer thread of the platform. */
public class BackpressureTimer {
  static class BackpressureObjectCounter {
    private final AtomicLong count = new AtomicLong();
    private final long capacity;

    BackpressureObjectCounter(long capacity) {
      this.capacity = capacity;
    }

    void onRamp() {
      while (true) {
        long current = count.get();
        if (current < capacity && count.compareAndSet(current, current + 1)) return;
        try {
          Thread.sleep(1);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }

    void offRamp() {
      count.decrementAndGet();
    }
  }

  static final BackpressureObjectCounter counter = new BackpressureObjectCounter(20);
  static final LinkedBlockingQueue<String> events = new LinkedBlockingQueue<>();
  static final AtomicInteger metrics = new AtomicInteger();

  static void put(String event) {
    counter.onRamp();
    events.add(event);
  }

  static void hashEvents() {
    try {
      while (true) {
        events.take();
        Thread.sleep(8);
        counter.offRamp();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static TimerTask task(Runnable action) {
    return new TimerTask() {
      @Override
      public void run() {
        action.run();
      }
    };
  }

  public static void main(String[] args) throws Exception {
    Thread hasher = new Thread(BackpressureTimer::hashEvents, "event-hasher");
    hasher.setDaemon(true);
    hasher.start();
    for (int i = 0; i < 3; i++) {
      Thread gossip = new Thread(() -> {
        while (true) put("gossip");
      }, "gossip-" + i);
      gossip.setDaemon(true);
      gossip.start();
    }
    Timer timer = new Timer("platform-timer", true);
    timer.scheduleAtFixedRate(task(() -> put("heartbeat")), 0, 40);
    timer.scheduleAtFixedRate(task(metrics::incrementAndGet), 0, 20);
    Thread.sleep(1500);
    System.out.println("metrics sampled " + metrics + " times instead of 75");
  }
}
