package truth;

/** Default methods of an interface. Their time belongs to the interface, not to the implementing class. */
final class Defaults {
  private interface Steps {
    int kind();

    default long shortWork(long x) {
      for (int i = 0; i < 20_000; i++) x = x * x + kind();
      return x;
    }

    default long longWork(long x) {
      for (int i = 0; i < 60_000; i++) x = x * x + i;
      return x;
    }
  }

  private static final class One implements Steps {
    @Override
    public int kind() {
      return 1;
    }
  }

  private static final class Two implements Steps {
    @Override
    public int kind() {
      return 2;
    }

    @Override
    public long shortWork(long x) {
      for (int i = 0; i < 30_000; i++) x = x * x + i;
      return x;
    }
  }

  private Defaults() {}

  public static void main(String[] args) throws Exception {
    Shares.print(
        args, Defaults.class, Defaults::run, "TOTAL Steps.shortWork", "Steps.longWork", "Two.shortWork");
  }

  private static void run(Shares shares) {
    long x = 1;
    Steps one = new One();
    Steps two = new Two();
    while (shares.startRound()) {
      for (int i = 0; i < 10; i++) x = one.shortWork(x);
      shares.endPhase(0);
      for (int i = 0; i < 4; i++) x = one.longWork(x);
      for (int i = 0; i < 4; i++) x = two.longWork(x);
      shares.endPhase(1);
      for (int i = 0; i < 5; i++) x = two.shortWork(x);
      shares.endPhase(2);
    }
    if (x == 0) throw new AssertionError();
  }
}
