package java.lang;

/**
 * The hooks that the rewritten classes call. The class is in java.base, so that every class can call
 * it. It runs while the JVM starts, so it must not use other classes. The counts are not exact, since
 * they are not synchronized.
 */
public final class RewriteHook {
  public static long entered;
  public static long left;
  public static long thrown;
  public static long values;
  public static long locks;
  public static long unlocks;
  public static long counted;
  public static long made;

  private RewriteHook() {}

  public static void enter(Object object, int id) {
    entered++;
  }

  public static void exit(int id) {
    left++;
  }

  public static void exit(boolean value, int id) {
    left++;
    values++;
  }

  public static void exit(long value, int id) {
    left++;
    values++;
  }

  public static void exit(Object value, int id) {
    left++;
    values++;
  }

  public static void thrown(Throwable exception, int id) {
    thrown++;
  }

  public static void monitorEnter(Object lock, int id) {}

  public static void monitorEntered(Object lock, int id) {
    locks++;
  }

  public static void monitorExit(Object lock, int id) {
    unlocks++;
  }

  public static void count(Object object) {
    counted++;
  }

  public static void made(Object object) {
    made++;
  }
}
