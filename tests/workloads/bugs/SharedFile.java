package bugs;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Another process has locked a file. A thread that waits for it holds the lock of an index. */
public class SharedFile {
  static class Index {
    synchronized int find() {
      return 1;
    }

    synchronized void commit(Path file) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        FileLock lock = channel.lock();
        lock.release();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  static void holdFile(Path file) throws Exception {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      FileLock lock = channel.lock();
      System.out.println("locked");
      Thread.sleep(2500);
      lock.release();
    }
  }

  static Process startHolder(Path file) throws Exception {
    String java = System.getProperty("java.home") + "/bin/java";
    Process holder =
        new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), "bugs.SharedFile", file.toString())
            .start();
    holder.getInputStream().read();
    return holder;
  }

  public static void main(String[] args) throws Exception {
    if (args.length > 0) {
      holdFile(Path.of(args[0]));
      return;
    }
    Path file = Files.createTempFile("index", ".lock");
    Process holder = startHolder(file);
    Index index = new Index();
    Thread committer = new Thread(() -> index.commit(file), "committer");
    committer.start();
    Thread.sleep(200); // it waits by then
    for (int i = 0; i < 3; i++) new Thread(index::find, "search-" + (i + 1)).start();
    System.out.println("holder ended with " + holder.waitFor());
    Files.delete(file);
  }
}
