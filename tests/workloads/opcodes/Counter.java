package opcodes;

import java.util.concurrent.atomic.AtomicLong;

/** The hooks for a test that rewrites the other classes; says at the end what they counted. */
public final class Counter {
  private static final AtomicLong entered = new AtomicLong();
  private static final AtomicLong returned = new AtomicLong();
  private static final AtomicLong thrown = new AtomicLong();

  static {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  long out = returned.get() + thrown.get();
                  System.err.println(
                      entered + " entered, " + (entered.get() - out) + " more than left, " + thrown
                          + " thrown out of");
                }));
  }

  private Counter() {}

  public static void enter(Object object, int id) {
    entered.incrementAndGet();
  }

  public static void exit(int id) {
    returned.incrementAndGet();
  }

  public static void exitByException(int id) {
    thrown.incrementAndGet();
  }
}
