package bugs;

import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A healthy server with nothing to do: an accept loop, an idle pool, a scheduler, consumers, and a main that waits for its end. */
public class CalmServer {
  static final CountDownLatch end = new CountDownLatch(1);
  static final BlockingQueue<String> mail = new ArrayBlockingQueue<>(10);
  static final Object events = new Object();
  static int numEvents;

  static void accept(ServerSocket server, ExecutorService handlers) {
    try {
      while (true) {
        Socket socket = server.accept();
        handlers.execute(() -> serve(socket));
      }
    } catch (java.io.IOException e) {
      end.countDown();
    }
  }

  static void serve(Socket socket) {
    try (Socket s = socket) {
      s.getOutputStream().write('!');
    } catch (java.io.IOException e) {
      end.countDown();
    }
  }

  static void deliver() {
    try {
      while (true) mail.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static void watch() {
    try {
      while (true) {
        synchronized (events) {
          while (numEvents == 0) events.wait();
          numEvents--;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static void report() {
    synchronized (events) {
      numEvents++;
      events.notify();
    }
  }

  static void close() {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public static void main(String[] args) throws Exception {
    ExecutorService handlers = Executors.newFixedThreadPool(3);
    ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
    ServerSocket server = new ServerSocket(0);
    new Thread(() -> accept(server, handlers), "acceptor").start();
    for (int i = 1; i <= 2; i++) new Thread(CalmServer::deliver, "mail-" + i).start();
    for (int i = 1; i <= 2; i++) new Thread(CalmServer::watch, "watcher-" + i).start();
    new Thread(CalmServer::close, "closer").start();
    timer.scheduleAtFixedRate(() -> {}, 100, 300, TimeUnit.MILLISECONDS);
    for (int i = 0; i < 20; i++) { // the only visitors
      try (Socket visitor = new Socket("localhost", server.getLocalPort())) {
        visitor.getInputStream().read();
      }
      mail.put("visit " + i);
      report();
      Thread.sleep(5);
    }
    end.await();
  }
}
