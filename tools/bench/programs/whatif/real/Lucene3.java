package whatif.real;

import java.nio.file.Path;
import org.apache.lucene.analysis.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.Version;

/** Lucene 3.6: a flush stops all threads that index. */
public final class Lucene3 extends Indexing {
  private IndexWriter writer;

  public static void main(String[] args) throws Exception {
    new Lucene3().measure(args);
  }

  @Override
  void open(Path folder) throws Exception {
    IndexWriterConfig config =
        new IndexWriterConfig(Version.LUCENE_36, new WhitespaceAnalyzer(Version.LUCENE_36));
    config.setMergePolicy(NoMergePolicy.COMPOUND_FILES); // the gain is that of flushes
    config.setRAMBufferSizeMB(4);
    writer = new IndexWriter(FSDirectory.open(folder.toFile()), config);
  }

  @Override
  void add(String text) throws Exception {
    Document document = new Document();
    document.add(new Field("text", text, Field.Store.YES, Field.Index.ANALYZED));
    writer.addDocument(document);
  }

  @Override
  void close() throws Exception {
    writer.close();
  }
}
