package screens;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Tasks wait in the queue of a pool whose threads are all busy. The arguments are what they are busy
 * with, and the number of threads of the pool:
 *
 * <ul>
 *   <li>sleep: twice as many threads make the program twice as fast;
 *   <li>io: the same, but the threads wait for another process, which answers any number at a time;
 *   <li>compute: there are twice as many threads as CPUs, so more threads gain nothing;
 *   <li>lock: each task sleeps under one lock, so more threads gain nothing.
 * </ul>
 *
 * Prints how long the work took.
 */
public final class FewWorkers {
  private static final int TASKS = 240;
  private static final Object LEDGER = new Ledger();
  private static volatile double sink;
  private static int port;

  public static void main(String[] args) throws Exception {
    if (args[0].equals("answer")) answerAll();
    Process service = args[0].equals("io") ? startService() : null;
    int processors = Runtime.getRuntime().availableProcessors();
    int threads = args.length > 1 ? Integer.parseInt(args[1]) : 4;
    if (args[0].equals("compute")) threads = 2 * processors;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    long begin = System.nanoTime();
    List<Future<?>> tasks = new ArrayList<>();
    for (int i = 0; i < TASKS; i++) tasks.add(pool.submit(() -> serve(args[0])));
    for (Future<?> task : tasks) task.get();
    System.out.println("fact work " + (System.nanoTime() - begin) / 1000000);
    pool.shutdown();
    if (service != null) service.destroy();
  }

  private static Process startService() throws IOException {
    String java = System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
    Process service =
        new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), "screens.FewWorkers", "answer").start();
    byte[] line = new byte[16];
    int n = service.getInputStream().read(line);
    port = Integer.parseInt(new String(line, 0, n).trim());
    return service;
  }

  /** Answers each connection after 20 ms, until the process is killed. */
  private static void answerAll() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      System.out.println(server.getLocalPort());
      while (true) {
        Socket socket = server.accept();
        new Thread(() -> answer(socket)).start();
      }
    }
  }

  private static void answer(Socket socket) {
    sleep(20);
    try (Socket s = socket) {
      s.getOutputStream().write(1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void serve(String how) {
    if (how.equals("sleep")) askService();
    if (how.equals("io")) fetch();
    if (how.equals("compute")) simulate();
    if (how.equals("lock")) book();
  }

  private static void askService() {
    sleep(20);
  }

  private static void fetch() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getInputStream().read();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void simulate() {
    double x = 1;
    for (int i = 0; i < 1500000; i++) x = Math.sqrt(x + i);
    sink = x;
  }

  private static void book() {
    synchronized (LEDGER) {
      sleep(5);
    }
  }

  private static void sleep(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static final class Ledger {}
}
