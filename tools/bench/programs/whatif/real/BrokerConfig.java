package whatif.real;

import java.util.Set;
import whatif.Cpu;
import whatif.Experiment;

/**
 * A broker asks for the servers to ignore once for each segment of a query, by a synchronized getter, as in
 * apache/druid#19787. After: the field is volatile.
 */
public final class BrokerConfig extends Experiment {
  static final class View {
    private final Set<String> ignored = Set.of("historical-7");
    private final boolean isVolatile;
    private volatile Set<String> published = ignored;

    View(boolean isVolatile) {
      this.isVolatile = isVolatile;
    }

    Set<String> getServersToIgnore() {
      return isVolatile ? published : getLocked();
    }

    private synchronized Set<String> getLocked() {
      return ignored;
    }
  }

  private static final int SEGMENTS = 2000;
  private static final String[] SERVERS = {"historical-5", "historical-6", "historical-7", "historical-8"};

  private View view;

  public static void main(String[] args) throws Exception {
    new BrokerConfig().measure(args);
  }

  @Override
  public void setUp() {
    view = new View(isAfter);
    query(100);
  }

  @Override
  public long work() throws Exception {
    int queries = count(1000);
    start(4, "worker", () -> query(queries));
    return join();
  }

  private long query(int queries) {
    int ignored = 0;
    for (int i = 0; i < queries * SEGMENTS; i++) {
      Cpu.burn(1);
      if (view.getServersToIgnore().contains(SERVERS[i % SERVERS.length])) ignored++;
    }
    if (ignored == 0) throw new IllegalStateException("no server is ignored");
    return queries;
  }
}
