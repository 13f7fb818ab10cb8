package bugs;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Six handlers ask a counter behind a socket for a permission, under the lock of the only client. */
public class QuotaLock {
  static class CounterClient {
    private final InputStream in;
    private final OutputStream out;

    CounterClient(Socket socket) throws Exception {
      in = socket.getInputStream();
      out = socket.getOutputStream();
    }

    private int ask() throws Exception {
      out.write(1);
      return in.read();
    }

    synchronized boolean permit() throws Exception {
      return ask() > 0;
    }
  }

  static void answer(ServerSocket server) {
    try (Socket socket = server.accept()) {
      while (socket.getInputStream().read() > 0) {
        Thread.sleep(20);
        socket.getOutputStream().write(1);
      }
    } catch (Exception e) {
      System.out.println(e);
    }
  }

  static void handle(CounterClient client, long end) {
    int served = 0;
    try {
      while (System.nanoTime() < end) {
        if (client.permit()) served++;
      }
    } catch (Exception e) {
      System.out.println(e);
    }
    System.out.println(served);
  }

  public static void main(String[] args) throws Exception {
    ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    Thread counter = new Thread(() -> answer(server), "counter");
    counter.setDaemon(true);
    counter.start();
    CounterClient client = new CounterClient(new Socket(server.getInetAddress(), server.getLocalPort()));
    long end = System.nanoTime() + 5_000_000_000L;
    for (int i = 1; i <= 6; i++) new Thread(() -> handle(client, end), "handler-" + i).start();
  }
}
