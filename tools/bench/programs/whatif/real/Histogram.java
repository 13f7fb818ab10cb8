package whatif.real;

import com.codahale.metrics.ExponentiallyDecayingReservoir;
import com.codahale.metrics.Reservoir;
import com.codahale.metrics.UniformReservoir;
import whatif.Experiment;

/** Threads record latencies in dropwizard-metrics; the default reservoir has a lock. After: another reservoir. */
public final class Histogram extends Experiment {
  private Reservoir latencies;

  public static void main(String[] args) throws Exception {
    new Histogram().measure(args);
  }

  @Override
  public void setUp() throws Exception {
    latencies = isAfter ? new UniformReservoir() : new ExponentiallyDecayingReservoir();
    record(20_000);
  }

  @Override
  public long work() throws Exception {
    int requests = count(1_500_000);
    start(4, "worker", () -> record(requests));
    return join();
  }

  private long record(int requests) {
    for (int i = 0; i < requests; i++) {
      latencies.update(i % 1000);
    }
    return requests;
  }
}
