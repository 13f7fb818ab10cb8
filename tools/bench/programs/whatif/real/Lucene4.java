package whatif.real;

import java.nio.file.Path;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.Version;

/** Lucene 4.10: each thread has buffers of its own, and flushes them alone. */
public final class Lucene4 extends Indexing {
  private IndexWriter writer;

  public static void main(String[] args) throws Exception {
    new Lucene4().measure(args);
  }

  @Override
  void open(Path folder) throws Exception {
    IndexWriterConfig config = new IndexWriterConfig(Version.LATEST, new WhitespaceAnalyzer());
    config.setMergePolicy(NoMergePolicy.INSTANCE); // the gain is that of flushes
    config.setRAMBufferSizeMB(4);
    writer = new IndexWriter(FSDirectory.open(folder.toFile()), config);
  }

  @Override
  void add(String text) throws Exception {
    Document document = new Document();
    document.add(new TextField("text", text, Field.Store.YES));
    writer.addDocument(document);
  }

  @Override
  void close() throws Exception {
    writer.close();
  }
}
