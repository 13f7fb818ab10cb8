package screens;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Four workers that wait for the answers of a slow server, which is another process. */
public final class SlowBackend {
  private static final int WORKERS = 4, CALLS = 6, MILLIS = 200;

  public static void main(String[] args) throws Exception {
    if (args.length > 0) {
      serve();
      return;
    }
    String java = System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
    Process backend =
        new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), "screens.SlowBackend", "serve").start();
    byte[] line = new byte[16];
    int n = backend.getInputStream().read(line);
    int port = Integer.parseInt(new String(line, 0, n).trim());
    Thread[] workers = new Thread[WORKERS];
    for (int i = 0; i < WORKERS; i++) {
      workers[i] = new Thread(() -> call(port), "worker-" + (i + 1));
      workers[i].start();
    }
    for (Thread worker : workers) worker.join();
    backend.destroy();
  }

  private static void call(int port) {
    try {
      for (int i = 0; i < CALLS; i++) fetchPrice(port);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static int fetchPrice(int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.getInputStream().read();
    }
  }

  private static void serve() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      System.out.println(server.getLocalPort());
      for (int i = 0; i < WORKERS * CALLS; i++) {
        Socket socket = server.accept();
        new Thread(() -> answer(socket)).start();
      }
      Thread.sleep(2 * MILLIS);
    }
  }

  private static void answer(Socket socket) {
    try (Socket closed = socket) {
      Thread.sleep(MILLIS);
      closed.getOutputStream().write(1);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
