package bench;

import java.util.Random;

/** Sorts ints by merge sort in two threads. The sort calls no method that Orca hooks. */
final class Sort {
  private static final int ROUNDS = 3;

  private Sort() {}

  public static void main(String[] args) throws Exception {
    Timing.print(args, 0, Sort::run);
  }

  private static void run(int size) throws InterruptedException {
    for (int i = 0; i < ROUNDS; i++) sortOnce(size);
  }

  private static void sortOnce(int size) throws InterruptedException {
    int[] a = new Random(1).ints(size).toArray();
    int[] spare = new int[size];
    int middle = size / 2;
    Thread other = new Thread(() -> sort(a, spare, 0, middle));
    other.start();
    sort(a, spare, middle, size);
    other.join();
    merge(a, spare, 0, middle, size);
    for (int i = 1; i < size; i++) {
      if (a[i - 1] > a[i]) throw new AssertionError("not sorted at " + i);
    }
  }

  private static void sort(int[] a, int[] spare, int from, int to) {
    if (to - from < 2) return;
    int middle = (from + to) >>> 1;
    sort(a, spare, from, middle);
    sort(a, spare, middle, to);
    merge(a, spare, from, middle, to);
  }

  private static void merge(int[] a, int[] spare, int from, int middle, int to) {
    System.arraycopy(a, from, spare, from, to - from);
    int left = from, right = middle;
    for (int i = from; i < to; i++) {
      boolean takeLeft = right == to || (left < middle && spare[left] <= spare[right]);
      a[i] = takeLeft ? spare[left++] : spare[right++];
    }
  }
}
