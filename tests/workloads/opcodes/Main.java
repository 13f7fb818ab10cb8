package opcodes;

/** Runs every instruction; what it prints does not depend on whether its methods were rewritten. */
public final class Main {
  private Main() {}

  public static void main(String[] args) throws Exception {
    System.out.println(Arithmetic.all());
    System.out.println(Flow.all());
    System.out.println(Assembled.all());
  }
}
