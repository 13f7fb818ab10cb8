package services;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import soak.Latencies;

/**
 * A closed loop: each client is a thread that makes one request after the other, without a rest unless it has one of
 * its own. Reads commands, one a line:
 * {@code run SECONDS} lets the clients work and prints {@code window REQUESTS NANOS P50 P99 LEAST}: requests of all
 * clients, duration, percentiles of the latency in nanoseconds, and requests of the client that made the fewest.
 * {@code end}, or the end of the input, ends.
 */
final class Clients {
    interface Client {
        /** Makes one request. It throws if the answer is wrong. */
        void request() throws Exception;

        /** Waits before the next request. Returns the System.nanoTime at which the wait ended; now: there is no wait. */
        default long rest(long now) throws Exception {
            return now;
        }
    }

    private final List<? extends Client> clients;
    private final ExecutorService threads;
    private final Latencies latencies = new Latencies();

    Clients(List<? extends Client> clients) {
        this.clients = clients;
        AtomicInteger number = new AtomicInteger();
        threads = Executors.newFixedThreadPool(
            clients.size(), task -> new Thread(task, "client-" + number.incrementAndGet()));
    }

    void obey() throws Exception {
        System.out.println("ready");
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = commands.readLine()) != null && !line.equals("end");) {
            run(Double.parseDouble(line.substring("run ".length())));
        }
        threads.shutdown();
    }

    private void run(double seconds) throws Exception {
        latencies.clear();
        long start = System.nanoTime();
        long end = start + (long) (seconds * 1e9);
        List<Future<Long>> counts = new ArrayList<>();
        for (Client client : clients) {
            counts.add(threads.submit(() -> runClient(client, end)));
        }
        long all = 0;
        long least = Long.MAX_VALUE;
        for (Future<Long> count : counts) {
            all += count.get();
            least = Math.min(least, count.get());
        }
        long nanos = System.nanoTime() - start;
        System.out.println(
            "window " + all + " " + nanos + " " + latencies.findPercentile(0.5) + " " + latencies.findPercentile(0.99)
            + " " + least);
    }

    private long runClient(Client client, long end) throws Exception {
        long count = 0;
        for (long now = System.nanoTime(); now < end; count++) {
            client.request();
            long done = System.nanoTime();
            latencies.add(done - now);
            now = client.rest(done);
        }
        return count;
    }
}
