package opcodes;

import java.util.concurrent.atomic.AtomicLong;

/** The hooks that a test weaves into the other classes. Prints at the end what they counted. */
public final class Counter {
  /** The id of the methods of Values. */
  private static final int VALUES = 42;

  private static final AtomicLong entered = new AtomicLong();
  private static final AtomicLong returned = new AtomicLong();
  private static final AtomicLong thrown = new AtomicLong();
  private static final AtomicLong asked = new AtomicLong();
  private static final AtomicLong locked = new AtomicLong();
  private static final AtomicLong left = new AtomicLong();
  private static int objects;
  private static int nulls;
  private static int trues;
  private static int falses;
  private static long longs;
  private static int letters;
  private static int exceptions;
  private static int counted;
  private static int made;
  private static int shortcuts;
  private static int cut;

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> System.err.println(report())));
  }

  private Counter() {}

  private static String report() {
    long numLeft = returned.get() + thrown.get();
    return entered + " entered, " + (entered.get() - numLeft) + " more than left, " + thrown
        + " thrown out of\n"
        + "values: " + objects + " objects, " + counted + " this, " + nulls + " nulls, " + trues + " true, " + falses
        + " false, " + longs + " in longs, " + letters + " letters, " + exceptions + " thrown, "
        + made + " made\n"
        + "monitors: " + asked + " asked, " + locked + " entered, " + left + " left\n"
        + "shortcuts: " + shortcuts + " asked, " + cut + " cut, " + Cut.ran + " ran";
  }

  public static void enter(Object object, int id) {
    entered.incrementAndGet();
    if (id != VALUES) return;
    if (object == null) nulls++;
    if (object instanceof Values || object instanceof Object[] || object instanceof int[]) {
      objects++;
    }
    if (object instanceof Throwable) objects++;
  }

  public static void exit(int id) {
    returned.incrementAndGet();
  }

  public static void exit(boolean value, int id) {
    returned.incrementAndGet();
    if (id != VALUES) return;
    if (value) {
      trues++;
    } else {
      falses++;
    }
  }

  public static void exit(long value, int id) {
    returned.incrementAndGet();
    if (id == VALUES) longs += value;
  }

  public static void exit(Object value, int id) {
    returned.incrementAndGet();
    if (id != VALUES) return;
    if (value instanceof String) letters += ((String) value).length();
    if (value instanceof CharSequence[]) letters += ((CharSequence[]) value).length;
  }

  public static void thrown(Throwable exception, int id) {
    thrown.incrementAndGet();
    if (id == VALUES && exception instanceof RuntimeException) exceptions++;
  }

  public static void monitorEnter(Object lock, int id) {
    asked.incrementAndGet();
  }

  public static void monitorEntered(Object lock, int id) {
    if (!Thread.holdsLock(lock)) throw new Error("not entered");
    locked.incrementAndGet();
  }

  /** Uses more stack than the other hooks, so that a stack overflow can happen here first. */
  public static void monitorExit(Object lock, int id) {
    countLeft(20);
  }

  private static void countLeft(int calls) {
    if (calls == 0) {
      left.incrementAndGet();
    } else {
      countLeft(calls - 1);
    }
  }

  public static void count(Object object) {
    if (object instanceof Values) counted++;
  }

  public static void made(Object object) {
    if (object instanceof Values) made++;
  }

  private static boolean countShortcut(boolean isOver) {
    shortcuts++;
    if (isOver) cut++;
    return isOver;
  }

  public static boolean isOver(Cut cut) {
    return countShortcut(cut.n > 2);
  }

  public static boolean isOver(Cut cut, int to) {
    return countShortcut(false);
  }

  public static boolean isOver(Cut cut, byte b, short s, char c, int i, long l, float f, double d,
      boolean z, String t, int[] a) {
    boolean same = s == 1 && c == 'c' && i == 2 && l == 3 && f == 4 && d == 5 && z
        && t.equals("six") && a.length == 7;
    return countShortcut(same && b > 0);
  }

  public static boolean isOver(Cut cut, long l) {
    return countShortcut(l < 0);
  }
}
