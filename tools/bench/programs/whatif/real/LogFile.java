package whatif.real;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.FileHandler;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;
import whatif.Cpu;
import whatif.Experiment;

/** Threads write to one file of java.util.logging, whose handler has a lock. After: a file per thread. */
public final class LogFile extends Experiment {
  private static final int THREADS = 4;

  private Path folder;
  private final Handler[] handlers = new Handler[THREADS];

  public static void main(String[] args) throws Exception {
    new LogFile().measure(args);
  }

  @Override
  public void setUp() throws IOException {
    folder = Files.createTempDirectory("whatif");
    for (int i = 0; i < THREADS; i++) {
      if (i > 0 && !isAfter) {
        handlers[i] = handlers[0];
        continue;
      }
      handlers[i] = new FileHandler(folder.resolve(i + ".log").toString());
      handlers[i].setFormatter(new SimpleFormatter());
    }
    write(handlers[0], 30_000);
  }

  @Override
  public long work() throws Exception {
    int lines = count(110_000);
    for (int i = 0; i < THREADS; i++) {
      Handler handler = handlers[i];
      start("worker-" + (i + 1), () -> write(handler, lines));
    }
    long units = join();
    for (Handler handler : handlers) handler.close();
    deleteFiles();
    return units;
  }

  private long write(Handler handler, int lines) {
    for (int i = 0; i < lines; i++) {
      Cpu.burn(3);
      LogRecord record = new LogRecord(Level.INFO, "an order was shipped");
      record.setSourceClassName("LogFile"); // else the handler walks the stack
      record.setSourceMethodName("write");
      handler.publish(record);
    }
    return lines;
  }

  private void deleteFiles() throws IOException {
    try (var files = Files.newDirectoryStream(folder)) {
      for (Path file : files) Files.delete(file);
    }
    Files.delete(folder);
  }
}
