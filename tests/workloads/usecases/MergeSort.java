package usecases;

import java.util.Random;

/** A merge sort that sorts each half in a new thread, down to a depth. Most threads only join others. */
final class MergeSort {
    private static final int DEPTH = 4;
    private static final int SIZE = 12_000_000;

    private static int joins;

    private static void merge(int[] from, int[] to, int begin, int middle, int end) {
        int left = begin;
        int right = middle;
        for (int i = begin; i < end; i++) {
            boolean takesLeft = right == end || (left < middle && from[left] <= from[right]);
            to[i] = takesLeft ? from[left++] : from[right++];
        }
    }

    /** Sorts a range of `from` into `to`. The range contains the same numbers in both arrays. */
    private static void sort(int[] from, int[] to, int begin, int end, int depth) {
        if (end - begin < 2) {
            return;
        }
        int middle = (begin + end) >>> 1;
        if (depth == 0) {
            sort(to, from, begin, middle, 0);
            sort(to, from, middle, end, 0);
        } else {
            sortInThreads(to, from, begin, middle, end, depth - 1);
        }
        merge(from, to, begin, middle, end);
    }

    private static void sortInThreads(int[] from, int[] to, int begin, int middle, int end, int depth) {
        Thread left = Facts.start("left-" + depth, () -> sort(from, to, begin, middle, depth));
        Thread right = Facts.start("right-" + depth, () -> sort(from, to, middle, end, depth));
        try {
            left.join();
            right.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        synchronized (MergeSort.class) {
            joins += 2;
        }
    }

    public static void main(String[] args) {
        int[] numbers = new Random(7).ints(SIZE).toArray();
        int[] sorted = numbers.clone();
        sort(numbers, sorted, 0, SIZE, DEPTH);
        for (int i = 1; i < SIZE; i++) {
            if (sorted[i - 1] > sorted[i]) {
                throw new AssertionError("not sorted");
            }
        }
        Facts.say("joins", joins);
    }
}
