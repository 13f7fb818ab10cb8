package screens;

import java.util.concurrent.Semaphore;

/** A semaphore that is a signal: the thread that releases it never acquires it. */
public final class SignalSemaphore {
  private static volatile long sink;

  public static void main(String[] args) throws Exception {
    Semaphore ready = new Semaphore(0);
    Thread printer = new Thread(() -> print(ready), "printer");
    printer.start();
    for (int i = 0; i < 30; i++) {
      layOut();
      ready.release();
    }
    printer.join();
  }

  private static void print(Semaphore ready) {
    for (int i = 0; i < 30; i++) ready.acquireUninterruptibly();
  }

  private static void layOut() {
    for (long end = System.nanoTime() + 90_000_000L; System.nanoTime() < end; ) {
      for (int i = 0; i < 10_000; i++) sink += i * 31 ^ sink;
    }
  }
}
