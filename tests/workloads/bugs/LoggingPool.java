package bugs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A pool that logs failures waits in afterExecute for the task as for a Future; a task of CompletableFuture never completes so.
 * Of orientechnologies/orientdb, https://github.com/orientechnologies/orientdb/issues/8271.
 */
public class LoggingPool {
  static class ThreadPoolExecutorWithLogging extends ThreadPoolExecutor {
    ThreadPoolExecutorWithLogging(int threads, ThreadFactory factory) {
      super(threads, threads, 60, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
    }

    @Override
    protected void afterExecute(Runnable task, Throwable failure) {
      super.afterExecute(task, failure);
      if (failure == null && task instanceof Future<?>) {
        try {
          ((Future<?>) task).get(); // CompletableFuture$AsyncRun is a Future that nobody completes
        } catch (ExecutionException e) {
          failure = e.getCause();
        } catch (CancellationException e) {
          failure = e;
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      if (failure != null) System.out.println("task failed: " + failure);
    }
  }

  static final AtomicLong loaded = new AtomicLong();

  static void load(int batch) {
    try {
      Thread.sleep(6);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    loaded.addAndGet(batch & 15);
  }

  public static void main(String[] args) throws Exception {
    startService();
    AtomicInteger next = new AtomicInteger();
    ExecutorService executor = new ThreadPoolExecutorWithLogging(4, r -> new Thread(r, "OrientDB ETL-" + next.incrementAndGet()));
    long start = System.nanoTime();
    for (int batch = 0; System.nanoTime() - start < 1_200_000_000L; batch++) {
      int id = batch;
      executor.submit(() -> load(id)).get();
    }
    List<CompletableFuture<Void>> last = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      int id = i;
      last.add(CompletableFuture.runAsync(() -> load(id), executor));
    }
    for (CompletableFuture<Void> each : last) each.join();
    executor.shutdown();
    executor.awaitTermination(1, TimeUnit.HOURS);
    System.out.println("END OF ETL PROCESS, " + loaded);
  }

  static void startService() throws IOException {
    ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    daemon("OrientDB ONetworkProtocolListener", () -> {
      while (true) server.accept().close();
    });
    daemon("OrientDB WAL Flush Task", () -> {
      while (true) Thread.sleep(421);
    });
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(r -> {
      Thread thread = new Thread(r, "OrientDB Profiler");
      thread.setDaemon(true);
      return thread;
    });
    timer.scheduleAtFixedRate(() -> reported++, 100, 421, TimeUnit.MILLISECONDS);
  }

  static volatile int reported;

  interface Body {
    void run() throws Exception;
  }

  static Thread daemon(String name, Body body) {
    Thread thread = new Thread(() -> {
      try {
        body.run();
      } catch (Exception e) {
        System.out.println(name + " ended by " + e);
      }
    }, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
