package java.lang;

import jdk.internal.vm.annotation.Hidden;

/**
 * What woven methods call at their entry and at each of their exits. It lives in java.lang so that
 * every class of every loader and module can see it; Hidden keeps its frame out of the stack traces
 * that the program sees.
 */
public final class OrcaHook {
  private OrcaHook() {}

  /** The method of this row of tracked.def begins; it is about this object, or about none. */
  @Hidden
  public static native void enter(Object object, int row);

  /** It ends, by a return or by an exception. */
  @Hidden
  public static native void exit(int row);
}
