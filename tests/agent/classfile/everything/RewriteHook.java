package java.lang;

/** What the rewritten classes call. It is in java.base, so that all see it, and runs before the JVM
    has anything else, so it does as good as nothing: the counts are not exact. */
public final class RewriteHook {
  public static long entered;
  public static long left;

  private RewriteHook() {}

  public static void enter(Object object, int id) {
    entered++;
  }

  public static void exit(int id) {
    left++;
  }
}
