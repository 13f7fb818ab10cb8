package bugs;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A parallel stream in a static initializer: the workers need the class that waits for them.
 * Of findbugsproject/findbugs, https://github.com/findbugsproject/findbugs/issues/50 (JDK-8136753).
 */
public class StreamInit {
  static class DetectorFactory {
    final int id;
    final long cost;

    DetectorFactory(int id) {
      this.id = id;
      long sum = 0;
      for (int i = 0; i < 20_000; i++) sum += (long) i * id % 7;
      cost = sum;
    }
  }

  static class DetectorRegistry {
    static final Map<Integer, DetectorFactory> DETECTORS = IntStream.range(0, 400).parallel()
        .mapToObj(id -> new DetectorFactory(id))
        .collect(Collectors.toMap(detector -> detector.id, detector -> detector));

    static DetectorFactory find(int id) {
      return DETECTORS.get(id);
    }
  }

  static final AtomicInteger classes = new AtomicInteger();

  static long parseClasses() {
    return IntStream.range(0, 200).parallel().mapToLong(i -> new DetectorFactory(i).cost).sum();
  }

  static void report() {
    try {
      while (true) {
        Thread.sleep(250);
        System.out.println("classes " + classes);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public static void main(String[] args) throws Exception {
    Thread progress = new Thread(StreamInit::report, "progress-reporter");
    progress.setDaemon(true);
    progress.start();
    for (int i = 0; i < 30; i++) {
      parseClasses();
      classes.addAndGet(200);
      Thread.sleep(20);
    }
    Thread[] analyzers = new Thread[2];
    for (int i = 0; i < analyzers.length; i++) {
      int id = i;
      analyzers[i] = new Thread(() -> System.out.println(DetectorRegistry.find(id).cost), "analyzer-" + i);
      analyzers[i].start();
      Thread.sleep(20);
    }
    for (Thread analyzer : analyzers) analyzer.join();
  }
}
