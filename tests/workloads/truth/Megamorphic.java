package truth;

/** Calls five implementations at the same call site. */
final class Megamorphic {
  private interface Step {
    long apply(long x);
  }

  private static final class A implements Step {
    @Override
    public long apply(long x) {
      for (int i = 0; i < 240; i++) x = x * x + i;
      return x;
    }
  }

  private static final class B implements Step {
    @Override
    public long apply(long x) {
      for (int i = 0; i < 160; i++) x = x * x + i;
      return x;
    }
  }

  private static final class C implements Step {
    @Override
    public long apply(long x) {
      for (int i = 0; i < 120; i++) x = x * x + i;
      return x;
    }
  }

  private static final class D implements Step {
    @Override
    public long apply(long x) {
      for (int i = 0; i < 80; i++) x = x * x + i;
      return x;
    }
  }

  private static final class E implements Step {
    @Override
    public long apply(long x) {
      for (int i = 0; i < 40; i++) x = x * x + i;
      return x;
    }
  }

  private static final Step[] STEPS = {new A(), new B(), new C(), new D(), new E()};

  private Megamorphic() {}

  public static void main(String[] args) throws Exception {
    Shares.print(
        args, Megamorphic.class, Megamorphic::run, "A.apply", "B.apply", "C.apply", "D.apply", "E.apply");
  }

  /** The time of a chain of multiplications is proportional to its length. A call takes as long as 3 of them. */
  private static void run(Shares shares) {
    long x = 1;
    while (shares.startRound()) {
      for (int i = 0; i < 4000; i++) x = STEPS[i % 5].apply(x);
      shares.splitPhase(243, 163, 123, 83, 43);
    }
    if (x == 0) throw new AssertionError();
  }
}
