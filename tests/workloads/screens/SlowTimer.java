package screens;

import java.util.Timer;
import java.util.TimerTask;

/** A timer with two tasks: a slow one delays the fast one. */
public final class SlowTimer {
  public static void main(String[] args) throws InterruptedException {
    Timer jobs = new Timer("jobs");
    jobs.scheduleAtFixedRate(
        new TimerTask() {
          @Override
          public void run() {}
        },
        50,
        50);
    jobs.schedule(
        new TimerTask() {
          @Override
          public void run() {
            cleanUp();
          }
        },
        50,
        50);
    Thread.sleep(1300);
    jobs.cancel();
  }

  private static void cleanUp() {
    try {
      Thread.sleep(500);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
