package truth;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Sends and receives on the loopback interface. The thread at the other end is not measured. */
final class Sockets {
  private static final byte[] BUFFER = new byte[64 << 10];

  private Sockets() {}

  public static void main(String[] args) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket accepted = server.accept()) {
      Thread echo = new Thread(() -> echo(accepted), "echo");
      echo.setDaemon(true);
      echo.start();
      Shares.print(args, Sockets.class, shares -> run(shares, client), "TOTAL send", "TOTAL receive", "compute");
    }
  }

  private static void echo(Socket socket) {
    byte[] buffer = new byte[BUFFER.length];
    try {
      InputStream in = socket.getInputStream();
      OutputStream out = socket.getOutputStream();
      for (int n; (n = in.read(buffer)) > 0; ) out.write(buffer, 0, n);
    } catch (IOException e) {
      return; // the socket was closed
    }
  }

  private static void run(Shares shares, Socket socket) throws IOException {
    long x = 1;
    InputStream in = socket.getInputStream();
    OutputStream out = socket.getOutputStream();
    while (shares.startRound()) {
      for (int i = 0; i < 4; i++) {
        send(out);
        shares.endPhase(0);
        x += receive(in);
        shares.endPhase(1);
      }
      x = compute(x, 60_000);
      shares.endPhase(2);
    }
    if (x == 0) throw new AssertionError();
  }

  private static void send(OutputStream out) throws IOException {
    out.write(BUFFER);
  }

  private static int receive(InputStream in) throws IOException {
    int received = 0;
    while (received < BUFFER.length) received += in.read(BUFFER, received, BUFFER.length - received);
    return received;
  }

  private static long compute(long x, int n) {
    for (int i = 0; i < n; i++) x = x * x + i;
    return x;
  }
}
