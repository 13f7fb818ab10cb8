package bugs;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A timer sends what writers have put into a buffer, until one line is not a number. Then it runs no more. */
public class StoppedFlush {
  static final ArrayBlockingQueue<String> buffer = new ArrayBlockingQueue<>(50);
  static long sum;

  static void flush() {
    List<String> lines = new ArrayList<>();
    buffer.drainTo(lines);
    for (String line : lines) send(line);
  }

  static void send(String line) {
    sum += Integer.parseInt(line);
  }

  static void write(int number) {
    try {
      for (int i = 0;; i++) {
        buffer.put(number == 1 && i == 100 ? "" : "" + i);
        Thread.sleep(2);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public static void main(String[] args) throws Exception {
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(r -> new Thread(r, "flush-timer"));
    timer.scheduleAtFixedRate(StoppedFlush::flush, 20, 20, TimeUnit.MILLISECONDS);
    timer.scheduleAtFixedRate(() -> System.out.println(sum), 500, 500, TimeUnit.MILLISECONDS);
    Thread[] writers = new Thread[3];
    for (int i = 0; i < writers.length; i++) {
      int number = i;
      writers[i] = new Thread(() -> write(number), "writer-" + i);
      writers[i].start();
    }
    for (Thread writer : writers) writer.join();
  }
}
