package truth;

import java.util.Random;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Compression: native methods that compute. */
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
    byte[] output = new byte[TEXT.length];
    while (shares.startRound()) {
      int packed = deflate(deflater);
      shares.endPhase(0);
      for (int i = 0; i < 6; i++) x += inflate(inflater, packed, output);
      shares.endPhase(1);
      x = compute(x, 500_000);
      shares.endPhase(2);
    }
    if (x == 0) throw new AssertionError();
  }

  private static int deflate(Deflater deflater) {
    deflater.reset();
    deflater.setInput(TEXT);
    deflater.finish();
    return deflater.deflate(PACKED);
  }

  private static int inflate(Inflater inflater, int packed, byte[] output) throws DataFormatException {
    inflater.reset();
    inflater.setInput(PACKED, 0, packed);
    return inflater.inflate(output);
  }

  private static long compute(long x, int n) {
    for (int i = 0; i < n; i++) x = x * x + i;
    return x;
  }
}
