package bench;

/** Does nothing; measures the start and the end of the JVM. */
final class Start {
  private Start() {}

  public static void main(String[] args) {}
}
