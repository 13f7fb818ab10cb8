package truth;

import java.util.Arrays;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.RecursiveTask;

/** A parallel sum. The methods of a leaf do work in fixed proportions; the pool's own CPU time is negligible. */
final class ForkJoins {
  private static final int SIZE = 1 << 20;
  private static final int LEAF_SIZE = 1 << 16;
  private static final int[] DATA = new int[SIZE];

  private static final class Sum extends RecursiveTask<Long> {
    private static final long serialVersionUID = 1;
    private final int from;
    private final int to;

    Sum(int from, int to) {
      this.from = from;
      this.to = to;
    }

    @Override
    protected Long compute() {
      if (to - from <= LEAF_SIZE) return scramble(from, to) + hash(from, to) + hash(to - LEAF_SIZE / 2, to);
      Sum left = new Sum(from, (from + to) / 2);
      Sum right = new Sum((from + to) / 2, to);
      left.fork();
      return right.compute() + left.join();
    }
  }

  private static final class Worker extends ForkJoinWorkerThread {
    Worker(ForkJoinPool pool) {
      super(pool);
      setName("truth-" + getPoolIndex());
    }
  }

  private ForkJoins() {}

  public static void main(String[] args) throws Exception {
    double seconds = args.length > 0 ? Double.parseDouble(args[0]) : 4;
    Arrays.setAll(DATA, i -> i * 7919);
    ForkJoinPool pool = new ForkJoinPool(3, Worker::new, null, false);
    long deadline = System.nanoTime() + (long) (seconds * 1e9);
    long x = 0;
    while (System.nanoTime() < deadline) x += pool.submit(new Sum(0, SIZE)).get();
    pool.shutdown();
    if (x == 0) throw new AssertionError();
    System.out.println("TRUTH-THREAD truth-*");
    Shares.print(ForkJoins.class, new long[] {40, 60, 100}, 100, "scramble", "hash", "TOTAL Sum.compute");
  }

  /** Takes as long as `hash` for the same range. */
  private static long scramble(int from, int to) {
    long x = 1;
    for (int i = from; i < to; i++) x = x * x + DATA[i];
    return x;
  }

  private static long hash(int from, int to) {
    long x = 1;
    for (int i = from; i < to; i++) x = x * x + DATA[i];
    return x;
  }
}
