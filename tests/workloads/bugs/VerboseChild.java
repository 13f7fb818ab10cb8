package bugs;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Runs the compiler as a child process, waits for its end and then reads what it has said. */
public class VerboseChild {
  static String exec(String name, int lines) throws Exception {
    String script = "i=0; while [ $i -lt " + lines + " ]; do "
        + "echo \"[$i] checking the rules of " + name + " against its normal form\"; i=$((i+1)); done";
    Process process = new ProcessBuilder("/bin/sh", "-c", script).redirectErrorStream(true).start();
    process.waitFor(); // the pipe holds 64 kB
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  static String normalize(String module, int lines) {
    try {
      String output = exec(module, lines);
      return module + ": " + output.length() + " characters";
    } catch (Exception e) {
      return module + ": " + e;
    }
  }

  public static void main(String[] args) throws Exception {
    ExecutorService builder = Executors.newFixedThreadPool(2, new java.util.concurrent.ThreadFactory() {
      int number;

      @Override
      public Thread newThread(Runnable task) {
        return new Thread(task, "maven-builder-" + ++number);
      }
    });
    Thread progress = new Thread(() -> {
      try {
        while (true) {
          TimeUnit.MILLISECONDS.sleep(200);
          Thread.yield();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }, "progress-bar");
    progress.setDaemon(true);
    progress.start();
    String[] modules = {"parser", "optimizer", "runtime", "maven-plugin"};
    int[] lines = {50, 80, 5000, 60};
    Future<?>[] results = new Future<?>[modules.length];
    for (int i = 0; i < modules.length; i++) {
      String module = modules[i];
      int count = lines[i];
      results[i] = builder.submit(() -> normalize(module, count));
    }
    for (Future<?> result : results) System.out.println(result.get());
    builder.shutdown();
  }
}
