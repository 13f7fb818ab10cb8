package services;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32;

/**
 * A server on virtual threads: {@code OrderDesk PORT}. Each connection has a thread, and each order gets one of its
 * own, for which the connection waits. An order {@code CUSTOMER ITEM} is entered into maps that a lock guards. One of
 * few printers makes the receipt: {@code CHECKSUM CUSTOMER NUMBER ITEM TEXT}, where NUMBER counts the orders of the
 * customer, and CHECKSUM is that of the rest. The answer to {@code count} is {@code ORDERS SOLD}: the orders of all
 * customers and the sum over all items. A signal ends the server.
 */
final class OrderDesk {
    private static final int PRINTERS = 3;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Integer> orders = new HashMap<>();
    private final Map<String, Integer> sold = new HashMap<>();
    private final AtomicLong receipts = new AtomicLong();
    private final Semaphore permits = new Semaphore(PRINTERS);
    private final Queue<Printer> printers = new ConcurrentLinkedQueue<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    public static void main(String[] args) throws IOException {
        OrderDesk desk = new OrderDesk();
        for (int i = 0; i < PRINTERS; i++) {
            desk.printers.add(new Printer());
        }
        try (ServerSocket server = new ServerSocket(Integer.parseInt(args[0]), 50, InetAddress.getLoopbackAddress())) {
            for (;;) {
                Socket socket = server.accept();
                desk.threads.execute(() -> desk.serve(socket));
            }
        }
    }

    private void serve(Socket socket) {
        try (Lines lines = new Lines(socket)) {
            for (String order; (order = lines.receive()) != null;) {
                String[] words = order.split(" ");
                lines.send(words.length == 1 ? count() : threads.submit(() -> enter(words[0], words[1])).get());
            }
        } catch (Exception e) {
            e.printStackTrace(); // the client notices the end of the connection
        }
    }

    private String enter(String customer, String item) throws InterruptedException {
        int number;
        lock.lock();
        try {
            number = orders.merge(customer, 1, Integer::sum);
            sold.merge(item, 1, Integer::sum);
        } finally {
            lock.unlock();
        }
        permits.acquire();
        try {
            Printer printer = printers.remove(); // fails if there are more permits than printers
            String receipt = printer.print(customer + " " + number + " " + item);
            printers.add(printer);
            receipts.incrementAndGet();
            return receipt;
        } finally {
            permits.release();
        }
    }

    private String count() {
        lock.lock();
        try {
            return receipts.get() + " " + sold.values().stream().mapToLong(Integer::longValue).sum();
        } finally {
            lock.unlock();
        }
    }

    /** Serves one thread at a time. */
    private static final class Printer {
        private static final int LINES = 20;

        private final StringBuilder text = new StringBuilder();
        private final CRC32 crc = new CRC32();

        String print(String head) {
            text.setLength(0);
            text.append(head);
            for (int i = 0; i < LINES; i++) {
                text.append(" position ").append(i).append(" of ").append(LINES);
            }
            crc.reset();
            crc.update(text.toString().getBytes(StandardCharsets.US_ASCII));
            return text.insert(0, crc.getValue() + " ").toString();
        }
    }
}
