/**
 * Binds natives of the JDK's own classes. If the caller is not a boot class, the JVM prints a warning
 * to the program's stdout. So the agent binds the natives below a frame of this boot class.
 */
final class OrcaBoot {
  private OrcaBoot() {}

  static void bind() {
    bindFromHere();
  }

  private static native void bindFromHere();
}
