package bugs;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Requests of an event loop go to a pool; if it is full, the event loop runs them itself. */
public class CallerRuns {
  static final LinkedBlockingQueue<Integer> socket = new LinkedBlockingQueue<>();
  static final AtomicInteger heartbeats = new AtomicInteger();
  static final AtomicInteger messages = new AtomicInteger();
  static final AtomicInteger number = new AtomicInteger();
  static final ThreadPoolExecutor sendMessageExecutor = new ThreadPoolExecutor(
      2, 2, 1, TimeUnit.MINUTES, new ArrayBlockingQueue<>(8),
      r -> new Thread(r, "SendMessageThread_" + number.incrementAndGet()),
      new ThreadPoolExecutor.CallerRunsPolicy());

  static void processSendMessage(int request) {
    try {
      Thread.sleep(60); // the disk of the broker is slow
      messages.incrementAndGet();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static void channelRead(int request) {
    if (request % 10 == 0) {
      heartbeats.incrementAndGet();
    } else {
      sendMessageExecutor.execute(() -> processSendMessage(request));
    }
  }

  static void eventLoop() {
    try {
      while (true) channelRead(socket.take());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public static void main(String[] args) throws Exception {
    Thread loop = new Thread(CallerRuns::eventLoop, "NettyServerNIOSelector_1");
    loop.setDaemon(true);
    loop.start();
    long end = System.nanoTime() + 3_000_000_000L;
    for (int i = 0; System.nanoTime() < end; i++) { // the network
      socket.add(i);
      Thread.sleep(10);
    }
    System.out.println(messages + " messages, " + heartbeats + " heartbeats, waiting " + socket.size());
    sendMessageExecutor.shutdownNow();
  }
}
