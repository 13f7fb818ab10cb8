package soak;

/** What requests compute. The answers depend only on the number of the request. */
public final class Work {
    private Work() {}

    static int rounds = 400_000;

    public static long hash(long number) {
        long hash = number * 0x9E3779B97F4A7C15L + 1;
        for (int i = 0; i < rounds; i++) {
            hash ^= hash << 13;
            hash ^= hash >>> 7;
            hash ^= hash << 17;
        }
        return hash & 0xFFFF;
    }

    /** Makes some 30 kB of strings. */
    public static long allocate(long number) {
        StringBuilder text = new StringBuilder();
        long sum = 0;
        for (int i = 0; i < 100; i++) {
            text.append(number + i).append(' ');
            sum += text.toString().hashCode() & 0xFF;
        }
        return sum;
    }
}
