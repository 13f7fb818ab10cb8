package screens;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server without clients: one thread accepts, four workers wait for tasks, a timer waits. */
public final class IdleServer {
  public static void main(String[] args) throws Exception {
    ExecutorService workers = Executors.newFixedThreadPool(4);
    for (int i = 0; i < 4; i++) {
      workers.submit(() -> {}).get();
      Thread.sleep(50); // the first one initializes the classes of its wait; the others would wait for that
    }
    Executors.newScheduledThreadPool(1).schedule(() -> {}, 1, java.util.concurrent.TimeUnit.HOURS);
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      server.setSoTimeout(1500);
      server.accept();
    } catch (SocketTimeoutException e) {
      System.out.println("no client");
    }
    System.exit(0);
  }
}
