package truth;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads a file from the page cache: a native method uses CPU time in the kernel. */
final class FileReads {
  private static final byte[] BUFFER = new byte[64 << 10];

  private FileReads() {}

  public static void main(String[] args) throws Exception {
    Path file = Files.createTempFile("truth", "");
    try {
      Files.write(file, new byte[4 << 20]);
      Shares.print(args, FileReads.class, shares -> run(shares, file), "TOTAL read", "compute");
    } finally {
      Files.delete(file);
    }
  }

  private static void run(Shares shares, Path file) throws IOException {
    long x = 1;
    while (shares.startRound()) {
      x += read(file);
      shares.endPhase(0);
      x = compute(x, 500_000);
      shares.endPhase(1);
    }
    if (x == 0) throw new AssertionError();
  }

  private static long read(Path file) throws IOException {
    long sum = 0;
    try (FileInputStream in = new FileInputStream(file.toFile())) {
      for (int n; (n = in.read(BUFFER)) > 0; ) sum += n;
    }
    return sum;
  }

  private static long compute(long x, int n) {
    for (int i = 0; i < n; i++) x = x * x + i;
    return x;
  }
}
