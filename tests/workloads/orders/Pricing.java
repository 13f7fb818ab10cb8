package orders;

/** Computes prices by a simulation: the hot spot of the service. */
final class Pricing {
    private static final long SIMULATION_TIME = 20_000_000; // nanoseconds of CPU time, on a machine of any speed
    private static final int STEPS = 20_000;

    private static int rounds = 10;

    private Pricing() {}

    /**
     * Chooses the work for one price. It is the same for all orders, so that the service is as fast as its threads get
     * CPUs.
     */
    static void calibrate() {
        Order order = new Order(0);
        long best = Long.MAX_VALUE; // nanoseconds for 10 rounds
        for (int i = 0; i < 50; i++) {
            long start = System.nanoTime();
            simulatePrice(order);
            best = Math.min(best, System.nanoTime() - start);
        }
        rounds = (int) Math.max(1, rounds * SIMULATION_TIME / best);
    }

    /** Returns the average of simulated prices in cents, about {@code 1000} for each piece. */
    static long simulatePrice(Order order) {
        long random = order.number;
        long sum = 0;
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < STEPS; i++) {
                random = random * 6364136223846793005L + 1442695040888963407L;
                sum += 950 + (random >>> 33) % 101;
            }
        }
        return order.pieces * (sum / ((long) rounds * STEPS));
    }
}
