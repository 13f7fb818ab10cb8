package screens;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;

/** A server without clients: one thread accepts, four workers wait for tasks, a timer waits. */
public final class IdleServer {
  public static void main(String[] args) throws Exception {
    ExecutorService workers = Executors.newFixedThreadPool(4);
    initializeWaits();
    for (int i = 0; i < 4; i++) workers.submit(() -> {}).get();
    Executors.newScheduledThreadPool(1).schedule(() -> {}, 1, java.util.concurrent.TimeUnit.HOURS);
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      server.setSoTimeout(1500);
      server.accept();
    } catch (SocketTimeoutException e) {
      System.out.println("no client");
    }
    System.exit(0);
  }

  /** Initializes the classes of the workers' wait. Otherwise the first worker does, and the others wait for it. */
  private static void initializeWaits() throws ReflectiveOperationException, InterruptedException {
    Class.forName("java.util.concurrent.ForkJoinPool"); // used by await() since JDK 17
    ReentrantLock lock = new ReentrantLock();
    lock.lock();
    lock.newCondition().awaitNanos(1);
    lock.unlock();
  }
}
