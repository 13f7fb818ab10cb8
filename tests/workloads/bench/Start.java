package bench;

/** Nothing at all: what it takes to start the JVM and to end it. */
final class Start {
  private Start() {}

  public static void main(String[] args) {}
}
