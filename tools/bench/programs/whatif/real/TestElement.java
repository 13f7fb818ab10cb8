package whatif.real;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import whatif.Cpu;
import whatif.Experiment;

/**
 * Samplers of a load test read the properties of one element, a synchronized map, and count in one row of totals,
 * as in apache/jmeter#5920. After: a concurrent map.
 */
public final class TestElement extends Experiment {
  private static final int PROPERTIES = 12, READS = 8; // of a sample

  private Map<String, String> properties;

  public static void main(String[] args) throws Exception {
    new TestElement().measure(args);
  }

  @Override
  public void setUp() {
    properties = isAfter ? new ConcurrentHashMap<>() : Collections.synchronizedMap(new LinkedHashMap<>());
    for (int i = 0; i < PROPERTIES; i++) properties.put("HTTPSampler.property" + i, "value" + i);
    sample(20_000);
  }

  @Override
  public long work() throws Exception {
    int samples = count(1_200_000);
    start(4, "worker", () -> sample(samples));
    return join();
  }

  private long sample(int samples) {
    String[] names = properties.keySet().toArray(new String[0]);
    for (int i = 0; i < samples; i++) {
      Cpu.burn(1);
      for (int k = 0; k < READS; k++) {
        if (properties.get(names[(i + k) % PROPERTIES]) == null) throw new IllegalStateException("no value");
      }
    }
    return samples;
  }
}
