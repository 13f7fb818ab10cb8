package java.lang;

import jdk.internal.vm.annotation.Hidden;

/**
 * The hooks that woven methods call. The class is in java.lang so that classes of all loaders and
 * modules can call it. {@code @Hidden} keeps its frames out of the program's stack traces.
 *
 * <p>{@code row} and {@code id} are a row of tracked.def, or -1 for a method that the user selected.
 */
public final class OrcaHook {
  private OrcaHook() {}

  /** The method was entered. {@code object} is the object that the row is about, or null. */
  @Hidden
  public static native void enter(Object object, int row);

  /** The method of {@code self} was entered. */
  @Hidden
  public static native void enter(Object object, Object self, int row);

  /** The method returns. */
  @Hidden
  public static native void exit(int row);

  /** The method returns this value. */
  @Hidden
  public static native void exit(boolean value, int row);

  @Hidden
  public static native void exit(long value, int row);

  @Hidden
  public static native void exit(Object value, int row);

  /** An exception leaves the method. */
  @Hidden
  public static native void thrown(Throwable t, int row);

  /**
   * Returns where an exception was thrown: the first frame of its stack that is not of the JDK,
   * "com.acme.Cart.add (Cart.java:7)". Null if that is not known.
   */
  @Hidden
  static String findThrower(Throwable thrown) {
    try {
      StackTraceElement[] frames = thrown.getStackTrace();
      for (StackTraceElement frame : frames) {
        if (!isOfJdk(frame.getClassName())) return nameFrame(frame);
      }
      return frames.length == 0 ? null : nameFrame(frames[0]);
    } catch (Throwable unknown) { // such as an end of memory or of the stack
      return null;
    }
  }

  private static boolean isOfJdk(String name) {
    return name.startsWith("java.") || name.startsWith("jdk.") || name.startsWith("javax.")
        || name.startsWith("sun.") || name.startsWith("com.sun.");
  }

  private static String nameFrame(StackTraceElement frame) {
    String method = frame.getClassName() + "." + frame.getMethodName();
    if (frame.getFileName() == null || frame.getLineNumber() <= 0) return method;
    return method + " (" + frame.getFileName() + ":" + frame.getLineNumber() + ")";
  }

  /** A monitor will be entered. */
  @Hidden
  public static native void monitorEnter(Object monitor, int id);

  /** A monitor was entered. */
  @Hidden
  public static native void monitorEntered(Object monitor, int id);

  /** A monitor is released: before or after the monitorexit. */
  @Hidden
  public static native void monitorExit(Object monitor, int id);
}
