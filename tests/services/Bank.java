package services;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clients move money between accounts, each in a transaction of its own: {@code Bank URL CLIENTS}. At the end it
 * prints {@code answer sum NUMBER} and {@code answer missing NUMBER}: the money of all accounts, and the transactions
 * of the clients that the database did not write down.
 */
final class Bank {
    private static final int ACCOUNTS = 1000;
    private static final int MONEY = 1000;
    private static final AtomicLong PAYMENTS = new AtomicLong();

    public static void main(String[] args) throws Exception {
        int clients = Integer.parseInt(args[1]);
        try (Connection keep = DriverManager.getConnection(args[0]); Statement statement = keep.createStatement()) {
            statement.execute("CREATE TABLE account (id INT PRIMARY KEY, money INT NOT NULL)");
            statement.execute("CREATE TABLE payment (teller INT NOT NULL, number INT NOT NULL, amount INT NOT NULL)");
            for (int i = 0; i < ACCOUNTS; i++) {
                statement.execute("INSERT INTO account VALUES (" + i + ", " + MONEY + ")");
            }
            List<Teller> tellers = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                tellers.add(new Teller(args[0].replace(";create=true", ""), i));
            }
            new Clients(tellers).obey();
            System.out.println("answer sum " + count(statement, "SELECT SUM(money) FROM account"));
            System.out.println("answer missing " + (PAYMENTS.get() - count(statement, "SELECT COUNT(*) FROM payment")));
        }
        System.exit(0); // Derby has threads that do not end
    }

    private static long count(Statement statement, String query) throws SQLException {
        try (ResultSet result = statement.executeQuery(query)) {
            result.next();
            return result.getLong(1);
        }
    }

    private static final class Teller implements Clients.Client {
        private final Connection connection;
        private final PreparedStatement read;
        private final PreparedStatement update;
        private final PreparedStatement insert;
        private final SplittableRandom random;
        private final int number;
        private int payments;

        Teller(String url, int number) throws SQLException {
            this.number = number;
            random = new SplittableRandom(number);
            connection = DriverManager.getConnection(url);
            connection.setAutoCommit(false);
            read = connection.prepareStatement("SELECT money FROM account WHERE id = ?");
            update = connection.prepareStatement("UPDATE account SET money = money + ? WHERE id = ?");
            insert = connection.prepareStatement("INSERT INTO payment VALUES (?, ?, ?)");
        }

        /** Locks the accounts in ascending order, so that no two transactions can block each other in a ring. */
        @Override
        public void request() throws SQLException {
            int from = random.nextInt(ACCOUNTS - 1);
            int to = random.nextInt(from + 1, ACCOUNTS);
            int amount = random.nextInt(1, 10);
            change(from, -amount);
            change(to, amount);
            read.setInt(1, to);
            try (ResultSet result = read.executeQuery()) {
                if (!result.next()) {
                    throw new IllegalStateException("account " + to + " is missing");
                }
            }
            insert.setInt(1, number);
            insert.setInt(2, ++payments);
            insert.setInt(3, amount);
            insert.executeUpdate();
            connection.commit();
            PAYMENTS.incrementAndGet();
        }

        private void change(int account, int amount) throws SQLException {
            update.setInt(1, amount);
            update.setInt(2, account);
            if (update.executeUpdate() != 1) {
                throw new IllegalStateException("account " + account + " is missing");
            }
        }
    }
}
