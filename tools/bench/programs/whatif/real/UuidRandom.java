package whatif.real;

import java.nio.ByteBuffer;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.UUID;
import whatif.Experiment;

/**
 * Threads make UUIDs. UUID.randomUUID takes random bytes of a generator of the JDK under one lock. After: each
 * thread has a generator of the same algorithm, which the JDK mixes with the bytes of the kernel.
 */
public final class UuidRandom extends Experiment {
  private static final int BYTES = 16;

  public static void main(String[] args) throws Exception {
    new UuidRandom().measure(args);
  }

  @Override
  public void setUp() throws Exception {
    make(50_000);
  }

  @Override
  public long work() throws Exception {
    int uuids = count(3_500_000);
    start(4, "worker", () -> make(uuids));
    return join();
  }

  private long make(int uuids) throws NoSuchAlgorithmException {
    SecureRandom random = SecureRandom.getInstance("SHA1PRNG");
    long x = 0;
    for (int i = 0; i < uuids; i++) x ^= (isAfter ? makeUuid(random) : UUID.randomUUID()).getMostSignificantBits();
    return x == 0 ? 0 : uuids;
  }

  private static UUID makeUuid(SecureRandom random) {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new UUID(buffer.getLong() & ~0xF000L | 0x4000L, buffer.getLong() & ~(3L << 62) | 1L << 63);
  }
}
