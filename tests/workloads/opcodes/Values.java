package opcodes;

/** Counts the arguments that the hooks of its methods must receive, for comparison with them. */
class Values {
  static int objects;
  static int statics;
  static int nulls;
  static int trues;
  static int falses;
  static long longs;
  static int letters;
  static int thrown;
  static int made;

  static {
    nulls++; // the class initializer is a method too
  }

  private final int number;

  Values(int number) {
    objects++;
    made++;
    if (number < 0) throw thrown(new IllegalArgumentException());
    this.number = number;
    if (number > 100) return;
    longs++;
    longs--;
  }

  /** Calls another constructor. Both count as having made the object. */
  Values(String text) {
    this(text.length());
    objects++;
    made++;
  }

  private static <T extends Throwable> T thrown(T throwable) {
    objects++;
    statics++;
    thrown++;
    return throwable;
  }

  boolean isLarge(int limit) {
    objects++;
    if (number > limit) {
      trues++;
      return true;
    }
    falses++;
    return false;
  }

  static boolean isEven(long n) {
    nulls++;
    boolean even = n % 2 == 0;
    if (even) trues++;
    if (!even) falses++;
    return even;
  }

  long next(long n, double d, float f) {
    objects++;
    long result = n + (long) d + (long) f + number;
    longs += result;
    return result;
  }

  static long sum(int[] numbers) {
    objects++;
    statics++;
    long sum = 0;
    for (int n : numbers) sum += n;
    longs += sum;
    return sum;
  }

  String text(String text) {
    objects++;
    if (text == null) return null;
    letters += text.length();
    return text;
  }

  static CharSequence[] texts(String... texts) {
    objects++;
    statics++;
    letters += texts.length;
    return texts;
  }

  int number() {
    objects++;
    return number;
  }

  static double half(int n) {
    nulls++;
    return n / 2.0;
  }

  void fail(int n) {
    objects++;
    try {
      if (n > 0) fail(n - 1);
    } finally {
      if (n == 0) throw thrown(new IllegalStateException());
      thrown++;
    }
  }

  static void all() {
    nulls++;
    Values small = new Values(3);
    Values large = new Values("a long text");
    for (int i = 0; i < 20; i++) {
      small.isLarge(i);
      large.isLarge(i);
      isEven(i);
      small.next(i, 0.5, 2);
      large.next(-1L << i, i, i);
      sum(new int[] {i, 1000 * i});
      small.text("x" + i);
      large.text(null);
      texts("a", null, "b");
      half(small.number() + large.number());
    }
    try {
      new Values(-1);
    } catch (IllegalArgumentException e) {
      made--; // the constructor failed
    }
    try {
      small.fail(3);
    } catch (IllegalStateException e) {
      new Values(200);
    }
  }

  /** A separate class, because the hooks would count a method of Values. */
  interface Report {
    static String of() {
      return objects + " objects, " + (objects - statics) + " this, " + nulls + " nulls, " + trues
          + " true, " + falses + " false, " + longs + " in longs, " + letters + " letters, " + thrown + " thrown, " + made + " made";
    }
  }
}
