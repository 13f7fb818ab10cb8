package truth;

import java.util.Arrays;
import java.util.zip.CRC32;

/** Methods whose time is spent in intrinsics and stubs of the JVM. */
final class Intrinsics {
  private static final byte[] FROM = new byte[1 << 20];
  private static final byte[] TO = new byte[1 << 20];
  private static final String TEXT = "abcdefgh".repeat(1 << 15) + "x";

  private Intrinsics() {}

  public static void main(String[] args) throws Exception {
    Shares.print(
        args, Intrinsics.class, Intrinsics::run, "TOTAL copy", "TOTAL fill", "TOTAL find", "TOTAL sum", "TOTAL power");
  }

  private static void run(Shares shares) {
    long x = 1;
    while (shares.startRound()) {
      x += copy(40);
      shares.endPhase(0);
      x += fill(60);
      shares.endPhase(1);
      x += find(12);
      shares.endPhase(2);
      x += sum(70);
      shares.endPhase(3);
      x += power(100_000);
      shares.endPhase(4);
    }
    if (x == 0) throw new AssertionError();
  }

  private static long copy(int times) {
    for (int i = 0; i < times; i++) System.arraycopy(FROM, 0, TO, i, FROM.length - i);
    return TO[17];
  }

  private static long fill(int times) {
    for (int i = 0; i < times; i++) Arrays.fill(TO, (byte) i);
    return TO[17];
  }

  private static long find(int times) {
    long found = 0;
    for (int i = 0; i < times; i++) found += TEXT.indexOf("hx", i);
    return found;
  }

  private static long sum(int times) {
    CRC32 crc = new CRC32();
    for (int i = 0; i < times; i++) crc.update(FROM);
    return crc.getValue();
  }

  private static long power(int times) {
    double sum = 0;
    for (int i = 0; i < times; i++) sum += Math.pow(1.0001 + i, 1.37);
    return (long) sum;
  }
}
