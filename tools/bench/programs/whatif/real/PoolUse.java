package whatif.real;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import whatif.Cpu;
import whatif.Experiment;

/** Threads borrow connections of an old pool. After: of HikariCP. There are as many connections as threads. */
abstract class PoolUse extends Experiment {
  static final int THREADS = 4;

  private final int borrows;
  private DataSource pool;

  /** borrows: how often each thread borrows a connection. */
  PoolUse(int borrows) {
    this.borrows = borrows;
  }

  /** Makes the old pool, with THREADS connections of StubDriver. */
  abstract DataSource makeOldPool() throws Exception;

  @Override
  public void setUp() throws Exception {
    pool = isAfter ? makeHikari() : makeOldPool();
    use(500);
  }

  @Override
  public long work() throws Exception {
    int uses = count(borrows);
    start(THREADS, "worker", () -> use(uses));
    return join();
  }

  private long use(int uses) throws SQLException {
    for (int i = 0; i < uses; i++) {
      try (Connection connection = pool.getConnection()) {
        Cpu.burn(2);
        connection.getAutoCommit();
      }
    }
    return uses;
  }

  private static DataSource makeHikari() {
    HikariDataSource made = new HikariDataSource();
    made.setDriverClassName(StubDriver.class.getName());
    made.setJdbcUrl(StubDriver.URL);
    made.setMaximumPoolSize(THREADS);
    return made;
  }
}
