package bugs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Requests hold a connection of the pool while they call a web service; others wait for a connection.
 * Of brettwooldridge/HikariCP, https://github.com/brettwooldridge/HikariCP/issues/1418, https://github.com/brettwooldridge/HikariCP/issues/1224.
 */
public class HeldConnection {
  static class WebService {
    final ServerSocket server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());

    WebService() throws IOException {
      daemon(() -> {
        try {
          for (int i = 1; ; i++) {
            Socket socket = server.accept();
            daemon(() -> serve(socket), "web-service-" + i).start();
          }
        } catch (IOException e) {
          System.out.println("server ends");
        }
      }, "web-service-accept").start();
    }

    private void serve(Socket socket) {
      try (socket) {
        int request = socket.getInputStream().read();
        Thread.sleep(60);
        socket.getOutputStream().write(request);
      } catch (InterruptedException | IOException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  static class Connection {
    void query() throws InterruptedException {
      Thread.sleep(2);
    }
  }

  static class HikariPool {
    private final Semaphore permits = new Semaphore(3);
    private final ConcurrentLinkedQueue<Connection> bag = new ConcurrentLinkedQueue<>();

    HikariPool() {
      for (int i = 0; i < 3; i++) bag.add(new Connection());
    }

    Connection getConnection() throws InterruptedException {
      if (!permits.tryAcquire(30, TimeUnit.SECONDS)) throw new IllegalStateException("request timed out");
      return bag.poll();
    }

    void recycle(Connection connection) {
      bag.add(connection);
      permits.release();
    }
  }

  static final HikariPool pool = new HikariPool();
  static final AtomicInteger mails = new AtomicInteger();
  static volatile boolean stop;

  static Thread daemon(Runnable r, String name) {
    Thread thread = new Thread(r, name);
    thread.setDaemon(true);
    return thread;
  }

  static int getAttachment(int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(9);
      return socket.getInputStream().read();
    }
  }

  static void syncMail(int port) throws InterruptedException, IOException {
    Connection connection = pool.getConnection();
    try {
      connection.query();
      getAttachment(port);
      connection.query();
    } finally {
      pool.recycle(connection);
    }
  }

  static void sync(int port) {
    try {
      while (!stop) {
        syncMail(port);
        mails.incrementAndGet();
      }
    } catch (InterruptedException | IOException e) {
      Thread.currentThread().interrupt();
    }
  }

  public static void main(String[] args) throws Exception {
    int port = new WebService().server.getLocalPort();
    Thread[] threads = new Thread[10];
    for (int i = 0; i < threads.length; i++) {
      threads[i] = new Thread(() -> sync(port), "MailSyncSent-Thread-" + (290 + i));
      threads[i].start();
    }
    Thread.sleep(4000);
    stop = true;
    for (Thread thread : threads) thread.join();
    System.out.println("mails " + mails);
  }
}
