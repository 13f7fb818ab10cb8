package truth;

/** Loops over doubles, which the compiler turns into vector instructions. */
final class Vectors {
  private static final double[] A = new double[4000];
  private static final double[] B = new double[4000];

  private Vectors() {}

  public static void main(String[] args) throws Exception {
    for (int i = 0; i < A.length; i++) A[i] = B[i] = i;
    Shares.print(args, Vectors.class, Vectors::run, "scale", "combine", "dot");
  }

  private static void run(Shares shares) {
    double x = 1;
    while (shares.startRound()) {
      for (int i = 0; i < 800; i++) scale(A, 0.999);
      shares.endPhase(0);
      for (int i = 0; i < 1000; i++) combine(A, B);
      shares.endPhase(1);
      for (int i = 0; i < 100; i++) x += dot(A, B);
      shares.endPhase(2);
    }
    if (x == 0.5) throw new AssertionError();
  }

  private static void scale(double[] a, double factor) {
    for (int i = 0; i < a.length; i++) a[i] *= factor;
  }

  private static void combine(double[] a, double[] b) {
    for (int i = 0; i < a.length; i++) a[i] = a[i] * 0.5 + b[i];
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) sum += a[i] * b[i];
    return sum;
  }
}
