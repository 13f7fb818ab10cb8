package bugs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Acceptors that take turns: one waits for a client, and the others for their turn. Nothing is stuck. */
public class AcceptTurns {
  static final Object turn = new Object();

  static void serve(ServerSocket server) {
    try {
      while (true) {
        Socket client;
        synchronized (turn) {
          client = server.accept();
        }
        client.getOutputStream().write(1);
        client.close();
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    for (int i = 1; i <= 3; i++) new Thread(() -> serve(server), "acceptor-" + i).start();
    for (int i = 0; i < 20; i++) {
      try (Socket client = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort())) {
        client.getInputStream().read();
      }
    }
    while (true) Thread.sleep(250);
  }
}
