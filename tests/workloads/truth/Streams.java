package truth;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Lambdas and streams. */
final class Streams {
  private static final List<Integer> NUMBERS = new ArrayList<>();

  private Streams() {}

  public static void main(String[] args) throws Exception {
    for (int i = 0; i < 50_000; i++) NUMBERS.add(i * 7919 & 0xffff);
    Shares.print(args, Streams.class, Streams::run, "TOTAL squares", "TOTAL groups", "TOTAL compose", "TOTAL sorted");
  }

  private static void run(Shares shares) {
    long x = 1;
    while (shares.startRound()) {
      x += squares(2_000_000);
      shares.endPhase(0);
      x += groups();
      shares.endPhase(1);
      x += compose(300_000);
      shares.endPhase(2);
      x += sorted();
      shares.endPhase(3);
    }
    if (x == 0) throw new AssertionError();
  }

  private static long squares(int n) {
    return IntStream.range(0, n).filter(i -> (i & 3) != 0).mapToLong(i -> (long) i * i).sum();
  }

  private static int groups() {
    return NUMBERS.stream().filter(i -> i % 3 == 0).collect(Collectors.groupingBy(i -> i % 100)).size();
  }

  private static int compose(int n) {
    IntUnaryOperator add = i -> i + 1;
    IntUnaryOperator composed = add.andThen(i -> i * 3).andThen(i -> i ^ 0x55).andThen(add);
    int x = 1;
    for (int i = 0; i < n; i++) x = composed.applyAsInt(x);
    return x;
  }

  private static int sorted() {
    return NUMBERS.stream().limit(5000).sorted().mapToInt(Integer::intValue).max().orElse(0);
  }
}
