package usecases;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * What limits this program changes: args are the phases and how long each takes, in milliseconds: "load=3000 lock=3000".
 * It prints when each phase begins and ends: "PHASE name begin end", in nanoseconds of the monotonic clock.
 */
final class Limits {
  private static volatile long sink;

  private Limits() {}

  private interface Work {
    void run(long end) throws Exception;
  }

  public static void main(String[] args) throws Exception {
    for (String arg : args) {
      String name = arg.substring(0, arg.indexOf('='));
      long millis = Long.parseLong(arg.substring(name.length() + 1));
      long begin = System.nanoTime();
      long end = begin + millis * 1_000_000;
      run(name, end);
      System.out.println("PHASE " + name + " " + begin + " " + System.nanoTime());
    }
  }

  private static void run(String phase, long end) throws Exception {
    switch (phase) {
      case "load":
        load(end);
        return;
      case "lock":
        inThreads(4, Limits::queue, end);
        return;
      case "cpus":
        inThreads(2 * Runtime.getRuntime().availableProcessors(), Limits::compute, end);
        return;
      case "io":
        readSlowly(end);
        return;
      case "rest":
        rest(end);
        return;
      default:
        throw new IllegalArgumentException(phase);
    }
  }

  private static void inThreads(int num, Work work, long end) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 1; i <= num; i++) {
      Thread thread = new Thread(() -> call(work, end), "worker-" + i);
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) thread.join();
  }

  private static void call(Work work, long end) {
    try {
      work.run(end);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static void load(long end) {
    compute(end);
  }

  private static void compute(long end) {
    long x = 1;
    while (System.nanoTime() < end) {
      for (int i = 0; i < 100_000; i++) x = x * x + i;
    }
    sink = x;
  }

  private static void queue(long end) throws InterruptedException {
    while (System.nanoTime() < end) update();
  }

  private static void update() throws InterruptedException {
    synchronized (Limits.class) {
      Thread.sleep(5);
    }
  }

  /** Two threads read from a server that sends a byte every 20 ms. */
  private static void readSlowly(long end) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 2, InetAddress.getLoopbackAddress())) {
      Thread sender = new Thread(() -> call(until -> send(server, until), end), "sender");
      sender.start();
      inThreads(2, until -> read(server.getLocalPort()), end);
      sender.join();
    }
  }

  private static void send(ServerSocket server, long end) throws Exception {
    try (Socket a = server.accept();
        Socket b = server.accept()) {
      while (System.nanoTime() < end) {
        Thread.sleep(20);
        a.getOutputStream().write(1);
        b.getOutputStream().write(1);
      }
    }
  }

  private static void read(int port) throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      InputStream in = socket.getInputStream();
      while (in.read() >= 0) sink++;
    }
  }

  private static void rest(long end) throws InterruptedException {
    while (System.nanoTime() < end) Thread.sleep(10);
  }
}
