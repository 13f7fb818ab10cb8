package truth;

import java.util.Random;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Natives that compute: compression. */
final class Zlib {
  private static final byte[] TEXT = new byte[32 << 10];
  private static final byte[] PACKED = new byte[64 << 10];

  private Zlib() {}

  public static void main(String[] args) throws Exception {
    Random random = new Random(1);
    for (int i = 0; i < TEXT.length; i++) TEXT[i] = (byte) ('a' + (random.nextInt(20) & random.nextInt(20)));
    Shares.print(args, Zlib.class, Zlib::run, "TOTAL deflate", "TOTAL inflate", "compute");
  }

  private static void run(Shares shares) throws DataFormatException {
    long x = 1;
    Deflater deflater = new Deflater();
    Inflater inflater = new Inflater();
    byte[] back = new byte[TEXT.length];
    while (shares.more()) {
      int packed = deflate(deflater);
      shares.lap(0);
      for (int i = 0; i < 6; i++) x += inflate(inflater, packed, back);
      shares.lap(1);
      x = compute(x, 500_000);
      shares.lap(2);
    }
    if (x == 0) throw new AssertionError();
  }

  private static int deflate(Deflater deflater) {
    deflater.reset();
    deflater.setInput(TEXT);
    deflater.finish();
    return deflater.deflate(PACKED);
  }

  private static int inflate(Inflater inflater, int packed, byte[] back) throws DataFormatException {
    inflater.reset();
    inflater.setInput(PACKED, 0, packed);
    return inflater.inflate(back);
  }

  private static long compute(long x, int n) {
    for (int i = 0; i < n; i++) x = x * x + i;
    return x;
  }
}
