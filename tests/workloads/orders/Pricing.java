package orders;

/** Finds a price by trying out what the market might do: the hot spot of the service. */
final class Pricing {
    private static final long THINKING_TIME = 20_000_000; // nanoseconds, however fast the JVM is
    private static final int STEPS = 20_000;

    private Pricing() {}

    /** The average of simulated prices, in cents, around {@code 1000} a piece. */
    static long simulatePrice(Order order) {
        long end = System.nanoTime() + THINKING_TIME;
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
