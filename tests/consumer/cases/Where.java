/** Prints its working directory. Fails as a shard of a test, so Bazel tries it again. */
public final class Where {
    public static void main(String[] args) {
        System.out.println("folder " + System.getProperty("user.dir"));
        System.exit(System.getenv("TEST_TOTAL_SHARDS") == null ? 0 : 1);
    }
}
