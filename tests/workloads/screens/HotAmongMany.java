package screens;

import java.util.concurrent.CountDownLatch;

/** One thread of 201 uses the CPU. */
public final class HotAmongMany {
  private static volatile long sink;

  public static void main(String[] args) throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    for (int i = 0; i < 200; i++) {
      Thread thread = new Thread(() -> await(end), "client-" + i);
      thread.setDaemon(true);
      thread.start();
    }
    Thread hot = new Thread(HotAmongMany::compress, "compressor");
    hot.start();
    hot.join();
    end.countDown();
  }

  private static void await(CountDownLatch end) {
    try {
      end.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void compress() {
    for (long end = System.nanoTime() + 1_800_000_000L; System.nanoTime() < end; ) {
      for (int i = 0; i < 100_000; i++) sink += i * 31 ^ sink;
    }
  }
}
