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

  /** It returns. */
  @Hidden
  public static native void exit(int row);

  /** It returns this. */
  @Hidden
  public static native void exit(boolean value, int row);

  @Hidden
  public static native void exit(long value, int row);

  @Hidden
  public static native void exit(Object value, int row);

  /** An exception leaves it. */
  @Hidden
  public static native void thrown(Throwable t, int row);

  /** A monitor is about to be entered; is; is about to be left. */
  @Hidden
  public static native void monitorEnter(Object monitor, int id);

  @Hidden
  public static native void monitorEntered(Object monitor, int id);

  @Hidden
  public static native void monitorExit(Object monitor, int id);

  /** A ReentrantReadWriteLock is made. */
  @Hidden
  public static native void made(Object lock);
}
