package whatif.real;

import com.mchange.v2.c3p0.ComboPooledDataSource;
import javax.sql.DataSource;

/** c3p0 0.9.1.2 against HikariCP. */
public final class C3p0 extends PoolUse {
  private C3p0() {
    super(80_000);
  }

  public static void main(String[] args) throws Exception {
    System.setProperty("com.mchange.v2.log.MLog", "com.mchange.v2.log.FallbackMLog");
    System.setProperty("com.mchange.v2.log.FallbackMLog.DEFAULT_CUTOFF_LEVEL", "WARNING");
    new C3p0().measure(args);
  }

  @Override
  DataSource makeOldPool() throws Exception {
    ComboPooledDataSource made = new ComboPooledDataSource();
    made.setDriverClass(StubDriver.class.getName());
    made.setJdbcUrl(StubDriver.URL);
    made.setMinPoolSize(THREADS);
    made.setMaxPoolSize(THREADS);
    return made;
  }
}
