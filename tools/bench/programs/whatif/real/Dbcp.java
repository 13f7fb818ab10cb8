package whatif.real;

import javax.sql.DataSource;
import org.apache.commons.dbcp.BasicDataSource;

/** commons-dbcp 1.4 with commons-pool 1.6 against HikariCP. */
public final class Dbcp extends PoolUse {
  private Dbcp() {
    super(300_000);
  }

  public static void main(String[] args) throws Exception {
    new Dbcp().measure(args);
  }

  @Override
  DataSource makeOldPool() {
    BasicDataSource made = new BasicDataSource();
    made.setDriverClassName(StubDriver.class.getName());
    made.setUrl(StubDriver.URL);
    made.setMaxActive(THREADS);
    made.setMaxIdle(THREADS);
    return made;
  }
}
