package whatif.real;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import whatif.Experiment;

/** Threads index documents with one writer. The versions of Lucene differ in their API, so each has a class. */
abstract class Indexing extends Experiment {
  private static final int WORDS = 200; // of a document

  private Path folder;

  /** Opens the writer in that folder. */
  abstract void open(Path folder) throws Exception;

  abstract void add(String text) throws Exception;

  abstract void close() throws Exception;

  @Override
  public void setUp() throws Exception {
    folder = Files.createTempDirectory("whatif");
    open(folder);
    index(0, 1000);
  }

  @Override
  public long work() throws Exception {
    int documents = count(6000);
    for (int i = 1; i <= 4; i++) {
      long seed = i;
      start("worker-" + i, () -> index(seed, documents));
    }
    long units = join();
    close();
    deleteFiles();
    return units;
  }

  private long index(long seed, int documents) throws Exception {
    for (int i = 0; i < documents; i++) {
      StringBuilder text = new StringBuilder();
      for (int k = 0; k < WORDS; k++) {
        seed = seed * 6364136223846793005L + 1442695040888963407L;
        text.append(Long.toString((seed >>> 33) % 20_000, 36)).append(' ');
      }
      add(text.toString());
    }
    return documents;
  }

  private void deleteFiles() throws Exception {
    List<Path> files;
    try (Stream<Path> found = Files.walk(folder)) {
      files = found.sorted(Comparator.reverseOrder()).collect(Collectors.toList());
    }
    for (Path file : files) Files.delete(file);
  }
}
