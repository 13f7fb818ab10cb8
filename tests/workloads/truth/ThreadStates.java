package truth;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Threads that account for their time themselves: around each call that blocks they read the clock. At the end the
 * program prints, for each of them, `STATE name lived blocked waited parked slept io`, in nanoseconds. If args[1] is `virtual`, the threads are
 * virtual (from JDK 21), else they also read from a socket.
 */
final class ThreadStates {
  private static final int WORKERS = 4;
  private static final int FREE = 50; // uncontended acquisitions in a round
  private static final int ROUNDS_PER_READ = 8;
  private static final int REPLY_MS = 80;

  private static final ReentrantLock LOCK = new ReentrantLock();
  private static final Semaphore PERMITS = new Semaphore(1);
  private static final Object MONITOR = new Object();
  private static volatile long sink;

  private final boolean reads;
  private final long deadline;
  private final ReentrantLock ownLock = new ReentrantLock();
  private final Semaphore ownPermits = new Semaphore(1);
  private final Object ownMonitor = new Object();
  private long lived, blocked, waited, parked, slept, io;

  private ThreadStates(boolean reads, long deadline) {
    this.reads = reads;
    this.deadline = deadline;
  }

  public static void main(String[] args) throws Exception {
    double seconds = args.length > 0 ? Double.parseDouble(args[0]) : 2;
    boolean isVirtual = args.length > 1 && args[1].equals("virtual");
    long deadline = System.nanoTime() + (long) (seconds * 1e9);
    List<ThreadStates> accounts = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      if (!isVirtual) serve(server);
      for (int i = 1; i <= WORKERS; i++) {
        ThreadStates states = new ThreadStates(!isVirtual, deadline);
        accounts.add(states);
        threads.add(make(isVirtual, "worker-" + i, () -> states.run(server.getLocalPort())));
      }
      for (Thread thread : threads) thread.start();
      for (Thread thread : threads) thread.join();
    }
    for (int i = 0; i < WORKERS; i++) System.out.println("STATE worker-" + (i + 1) + " " + accounts.get(i));
  }

  @Override
  public String toString() {
    return lived + " " + blocked + " " + waited + " " + parked + " " + slept + " " + io;
  }

  private static Thread make(boolean isVirtual, String name, Runnable body) throws Exception {
    if (!isVirtual) return new Thread(body, name);
    Class<?> builders = Class.forName("java.lang.Thread$Builder");
    Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
    builders.getMethod("name", String.class).invoke(builder, name);
    ThreadFactory factory = (ThreadFactory) builders.getMethod("factory").invoke(builder);
    return factory.newThread(body);
  }

  /** Answers each byte after some time, for one client per worker. */
  private static void serve(ServerSocket server) throws IOException {
    for (int i = 1; i <= WORKERS; i++) {
      Thread thread = new Thread(() -> {
        try (Socket socket = server.accept()) {
          for (int b; (b = socket.getInputStream().read()) >= 0; ) {
            Thread.sleep(REPLY_MS);
            socket.getOutputStream().write(b);
          }
        } catch (IOException | InterruptedException e) {
          throw new AssertionError(e);
        }
      }, "server-" + i);
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void run(int port) {
    long start = System.nanoTime();
    try {
      if (reads) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
          work(socket.getInputStream(), socket.getOutputStream());
        }
      } else {
        work(null, null);
      }
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
    lived = System.nanoTime() - start;
  }

  private void work(InputStream in, OutputStream out) throws IOException, InterruptedException {
    for (int round = 0; System.nanoTime() < deadline; round++) {
      long before = System.nanoTime();
      LOCK.lock();
      blocked += System.nanoTime() - before;
      sleep(2);
      LOCK.unlock();

      before = System.nanoTime();
      PERMITS.acquire();
      blocked += System.nanoTime() - before;
      sleep(1);
      PERMITS.release();

      before = System.nanoTime();
      synchronized (MONITOR) {
        blocked += System.nanoTime() - before;
        sleep(1);
      }

      for (int i = 0; i < FREE; i++) {
        ownLock.lock();
        ownLock.unlock();
        ownPermits.acquire();
        ownPermits.release();
      }

      before = System.nanoTime();
      synchronized (ownMonitor) {
        ownMonitor.wait(2);
      }
      waited += System.nanoTime() - before;

      before = System.nanoTime();
      LockSupport.parkNanos(2_000_000);
      parked += System.nanoTime() - before;

      compute(500_000);
      if (in == null || round % ROUNDS_PER_READ != 0) continue;
      out.write(round & 0x7F);
      before = System.nanoTime();
      if (in.read() < 0) throw new AssertionError();
      io += System.nanoTime() - before;
    }
  }

  private void sleep(int millis) throws InterruptedException {
    long before = System.nanoTime();
    Thread.sleep(millis);
    slept += System.nanoTime() - before;
  }

  private static void compute(int n) {
    long x = 1;
    for (int i = 0; i < n; i++) x = x * x + i;
    sink = x;
  }
}
