package screens;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A pool whose workers all wait for the answer of a backend that never sends one. The first argument
 * says how they read: "stream", with a time limit, or "channel", without. The second one, in
 * milliseconds, says when the program exits. It prints when all workers read.
 */
public final class HungBackend {
  private static final int WORKERS = 8;
  private static final CountDownLatch reading = new CountDownLatch(WORKERS);

  public static void main(String[] args) throws Exception {
    int millis = Integer.parseInt(args[1]);
    try (ServerSocket backend = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      int port = backend.getLocalPort();
      ExecutorService pool = Executors.newFixedThreadPool(WORKERS);
      List<Future<Integer>> answers = new ArrayList<>();
      for (int i = 0; i < WORKERS; i++) {
        answers.add(pool.submit(args[0].equals("channel") ? () -> readChannel(port) : () -> readStream(port)));
      }
      Thread end = new Thread(() -> exitAfter(millis), "exit");
      end.setDaemon(true);
      end.start();
      for (Future<Integer> answer : answers) answer.get();
    }
  }

  private static int readStream(int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(600_000);
      InputStream in = socket.getInputStream();
      reading.countDown();
      return in.read();
    }
  }

  private static int readChannel(int port) throws IOException {
    try (SocketChannel channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
      reading.countDown();
      return channel.read(ByteBuffer.allocate(16));
    }
  }

  private static void exitAfter(int millis) {
    try {
      reading.await();
      System.out.println("fact reading");
      System.out.println("fact begin " + System.currentTimeMillis());
      Thread.sleep(millis);
      System.out.println("fact exit " + System.currentTimeMillis());
      System.exit(0);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
