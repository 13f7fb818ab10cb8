package services;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32;

/**
 * Clients of OrderDesk, each with a connection of its own: {@code Orders PORT CLIENTS}. A request is one order. At the
 * end it prints {@code answer lost NUMBER} and {@code answer wrong NUMBER}: orders that the server has not counted as
 * served, and the difference between its orders and what it has sold.
 */
final class Orders {
    private static final int ITEMS = 200;

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[0]);
        List<Customer> customers = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(args[1]); i++) {
            customers.add(new Customer(Lines.connect(port), i));
        }
        new Clients(customers).obey();
        long sent = 0;
        for (Customer customer : customers) {
            sent += customer.orders;
            customer.lines.close();
        }
        try (Lines lines = Lines.connect(port)) {
            String[] counts = lines.ask("count").split(" ");
            System.out.println("answer lost " + (sent - Long.parseLong(counts[0])));
            System.out.println("answer wrong " + (Long.parseLong(counts[1]) - Long.parseLong(counts[0])));
        }
    }

    private static final class Customer implements Clients.Client {
        private final Lines lines;
        private final int name;
        private final SplittableRandom random;
        private int orders;

        Customer(Lines lines, int name) {
            this.lines = lines;
            this.name = name;
            random = new SplittableRandom(name);
        }

        @Override
        public void request() throws IOException {
            int item = random.nextInt(ITEMS);
            String receipt = lines.ask(name + " " + item);
            int space = receipt.indexOf(' ');
            String text = receipt.substring(space + 1);
            CRC32 crc = new CRC32();
            crc.update(text.getBytes(StandardCharsets.US_ASCII));
            if (crc.getValue() != Long.parseLong(receipt.substring(0, space))) {
                throw new IllegalStateException("the checksum is wrong: " + receipt);
            }
            if (!text.startsWith(name + " " + ++orders + " " + item + " ")) {
                throw new IllegalStateException("the receipt of another order: " + receipt);
            }
        }
    }
}
