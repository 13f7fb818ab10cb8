/**
 * Binds natives of the JDK's own classes. The JVM prints a warning to the program's stdout when a
 * native of a boot class is bound, unless the caller is a boot class itself. So the agent binds them
 * below a frame of this boot class.
 */
final class OrcaBoot {
  private OrcaBoot() {}

  static void bind() {
    bindFromHere();
  }

  private static native void bindFromHere();
}
