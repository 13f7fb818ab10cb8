package truth;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;

/** Sorts with and without a comparator. */
final class Sorting {
  private static final int SIZE = 20_000;

  private Sorting() {}

  public static void main(String[] args) throws Exception {
    Shares.print(args, Sorting.class, Sorting::run, "TOTAL byComparator", "TOTAL byNature", "TOTAL primitive");
  }

  private static void run(Shares shares) {
    long x = 1;
    Random random = new Random(1);
    String[] words = new String[SIZE];
    int[] numbers = new int[SIZE];
    for (int i = 0; i < SIZE; i++) {
      numbers[i] = random.nextInt();
      words[i] = Integer.toString(numbers[i], 36);
    }
    while (shares.startRound()) {
      x += byComparator(words.clone());
      shares.endPhase(0);
      x += byNature(words.clone());
      shares.endPhase(1);
      for (int i = 0; i < 2; i++) x += primitive(numbers.clone());
      shares.endPhase(2);
    }
    if (x == 0) throw new AssertionError();
  }

  private static int byComparator(String[] words) {
    Arrays.sort(words, Comparator.comparing(String::length).thenComparing(Comparator.reverseOrder()));
    return words[0].length();
  }

  private static int byNature(String[] words) {
    Arrays.sort(words, 0, SIZE / 2);
    return words[0].length();
  }

  private static int primitive(int[] numbers) {
    Arrays.sort(numbers);
    return numbers[0];
  }
}
