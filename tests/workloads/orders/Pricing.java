package orders;

/** Computes prices by a simulation: the hot spot of the service. */
final class Pricing {
    private static final long SIMULATION_TIME = 20_000_000; // nanoseconds, on a machine of any speed
    private static final int STEPS = 20_000;

    private Pricing() {}

    /** Returns the average of simulated prices in cents, about {@code 1000} for each piece. */
    static long simulatePrice(Order order) {
        long end = System.nanoTime() + SIMULATION_TIME;
        long random = order.number;
        long sum = 0;
        long count = 0;
        do {
            for (int i = 0; i < STEPS; i++) {
                random = random * 6364136223846793005L + 1442695040888963407L;
                sum += 950 + (random >>> 33) % 101;
            }
            count += STEPS;
        } while (System.nanoTime() < end);
        return order.pieces * (sum / count);
    }
}
