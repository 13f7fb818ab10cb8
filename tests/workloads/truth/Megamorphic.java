package truth;

/** Calls of five implementations at one place. */
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

  /** The chains of multiplications take as long as they have steps; a call takes as long as some 3. */
  private static void run(Shares shares) {
    long x = 1;
    while (shares.more()) {
      for (int i = 0; i < 4000; i++) x = STEPS[i % 5].apply(x);
      shares.split(243, 163, 123, 83, 43);
    }
    if (x == 0) throw new AssertionError();
  }
}
