package bugs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Four writers fill a queue; the one thread that writes the log forces each record to the disk. */
public class WalQueue {
  static final BlockingQueue<byte[]> records = new ArrayBlockingQueue<>(100);
  static final AtomicInteger written = new AtomicInteger();
  static final AtomicInteger put = new AtomicInteger();

  static void append(FileChannel log, byte[] record) throws IOException {
    log.write(ByteBuffer.wrap(record));
    log.force(true);
    written.incrementAndGet();
  }

  public static void main(String[] args) throws Exception {
    Path file = Files.createTempFile(Path.of(args.length > 0 ? args[0] : "/var/tmp"), "wal", ".log");
    FileChannel log = FileChannel.open(file, StandardOpenOption.WRITE);
    Thread appender = new Thread(() -> {
      try {
        while (true) append(log, records.take());
      } catch (Exception e) {
        System.out.println(e);
      }
    }, "wal-appender");
    appender.setDaemon(true);
    appender.start();
    long end = System.nanoTime() + 6_000_000_000L;
    for (int i = 1; i <= 4; i++) {
      Thread t = new Thread(() -> {
        try {
          byte[] record = new byte[4000];
          while (System.nanoTime() < end) {
            records.put(record.clone());
            put.incrementAndGet();
          }
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }, "writer-" + i);
      t.setDaemon(true);
      t.start();
    }
    Thread.sleep(6100);
    System.out.println("put " + put + ", written " + written + ", still queued " + records.size());
    Files.delete(file);
    System.exit(0);
  }
}
