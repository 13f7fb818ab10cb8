package whatif.real;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import whatif.Experiment;

/**
 * Threads sum the lines of orders in a database in memory. HSQLDB 1.8 runs each statement under the lock
 * of its database. After: each thread has a copy of the database.
 */
public final class Hsqldb extends Experiment {
  private static final String URL = "jdbc:hsqldb:mem:orders";
  private static final int ORDERS = 200, LINES = 100, THREADS = 4; // lines of an order

  public static void main(String[] args) throws Exception {
    new Hsqldb().measure(args);
  }

  @Override
  public void setUp() throws Exception {
    Class.forName("org.hsqldb.jdbcDriver");
    for (int i = 1; i <= (isAfter ? THREADS : 1); i++) fill(URL + i);
    sum(URL + 1, 5000, 1);
  }

  private static void fill(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url, "sa", "")) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE line (id INTEGER PRIMARY KEY, owner INTEGER, price INTEGER)");
        statement.execute("CREATE INDEX line_owner ON line (owner)");
      }
      try (PreparedStatement insert = connection.prepareStatement("INSERT INTO line VALUES (?, ?, ?)")) {
        for (int i = 0; i < ORDERS * LINES; i++) {
          insert.setInt(1, i);
          insert.setInt(2, i % ORDERS);
          insert.setInt(3, i % 7);
          insert.executeUpdate();
        }
      }
    }
  }

  @Override
  public long work() throws Exception {
    int queries = count(120_000);
    for (int i = 1; i <= THREADS; i++) {
      int seed = i;
      String url = URL + (isAfter ? i : 1);
      start("worker-" + i, () -> sum(url, queries, seed));
    }
    return join();
  }

  private long sum(String url, int queries, int seed) throws SQLException {
    long sum = 0;
    try (Connection connection = DriverManager.getConnection(url, "sa", "");
        PreparedStatement select = connection.prepareStatement("SELECT SUM(price) FROM line WHERE owner = ?")) {
      for (int i = 0; i < queries; i++) {
        select.setInt(1, (i * 31 + seed) % ORDERS);
        try (ResultSet rows = select.executeQuery()) {
          if (!rows.next()) throw new SQLException("no row");
          sum += rows.getLong(1);
        }
      }
    }
    return sum > 0 ? queries : 0;
  }
}
