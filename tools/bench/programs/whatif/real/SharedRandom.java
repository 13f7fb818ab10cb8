package whatif.real;

import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import whatif.Cpu;
import whatif.Experiment;

/** Threads make keys with one SecureRandom, whose nextBytes is synchronized. After: a generator per thread. */
public final class SharedRandom extends Experiment {
  private static final int KEY = 4096; // bytes

  private SecureRandom shared;

  public static void main(String[] args) throws Exception {
    new SharedRandom().measure(args);
  }

  @Override
  public void setUp() throws Exception {
    shared = makeGenerator();
    byte[] key = new byte[KEY];
    for (int i = 0; i < 500; i++) shared.nextBytes(key);
  }

  @Override
  public long work() throws Exception {
    int keys = count(24_000);
    start(4, "worker", () -> makeKeys(keys));
    return join();
  }

  private long makeKeys(int keys) throws NoSuchAlgorithmException {
    SecureRandom random = isAfter ? makeGenerator() : shared;
    byte[] key = new byte[KEY];
    for (int i = 0; i < keys; i++) {
      random.nextBytes(key);
      Cpu.burn(2);
    }
    return keys;
  }

  private static SecureRandom makeGenerator() throws NoSuchAlgorithmException {
    SecureRandom random = SecureRandom.getInstance("SHA1PRNG");
    random.setSeed(1);
    return random;
  }
}
