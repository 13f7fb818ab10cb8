package opcodes;

/** Executes every instruction. Woven and original classes print the same. */
public final class Main {
  private Main() {}

  public static void main(String[] args) throws Exception {
    System.out.println(Arithmetic.all());
    System.out.println(Flow.all());
    System.out.println(Assembled.all());
    System.out.println(Locks.all());
    System.out.println(Cut.all());
    Values.all();
    System.out.println("values: " + Values.Report.of());
    System.out.println("monitors: " + Locks.report());
    System.out.println("shortcuts: " + Cut.report(Cut.calls - Cut.over));
  }
}
