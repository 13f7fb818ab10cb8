package screens;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** H2: all tellers update the same row, in transactions that take long. The URL is the argument. */
public final class Database {
  private static final int TELLERS = 4, PAYMENTS = 6;

  public static void main(String[] args) throws Exception {
    try (Connection keep = DriverManager.getConnection(args[0]); Statement s = keep.createStatement()) {
      s.execute("CREATE TABLE account (id INT PRIMARY KEY, money INT)");
      s.execute("INSERT INTO account VALUES (1, 0)");
      Thread[] tellers = new Thread[TELLERS];
      for (int i = 0; i < TELLERS; i++) {
        tellers[i] = new Thread(() -> pay(args[0]), "teller-" + (i + 1));
        tellers[i].start();
      }
      for (Thread teller : tellers) teller.join();
    }
  }

  private static void pay(String url) {
    try (Connection connection = DriverManager.getConnection(url); Statement s = connection.createStatement()) {
      connection.setAutoCommit(false);
      for (int i = 0; i < PAYMENTS; i++) {
        s.executeUpdate("UPDATE account SET money = money + 1 WHERE id = 1");
        printReceipt();
        connection.commit();
      }
    } catch (SQLException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void printReceipt() throws InterruptedException {
    Thread.sleep(100);
  }
}
