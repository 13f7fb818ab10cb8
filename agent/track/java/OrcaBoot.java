/**
 * Binds natives of the JDK's own classes. The JVM warns on the program's stdout when somebody binds a
 * native of a boot class, unless the caller is a boot class itself: this one.
 */
final class OrcaBoot {
  private OrcaBoot() {}

  static void bind() {
    bindFromHere();
  }

  private static native void bindFromHere();
}
