package opcodes;

/** Every operator, conversion and array type; locals in all slots for which short instructions exist. */
final class Arithmetic {
  private Arithmetic() {}

  static int operate(int a, int b) {
    int c = a + b, d = a - b, e = a * b, f = a / b, g = a % b;
    int h = (a & b) | (a ^ b), i = a << 3, j = a >> 2, k = a >>> 1;
    return c ^ -d ^ e ^ f ^ g ^ h ^ i ^ j ^ k;
  }

  static int slots0(int a, int b, int c, int d) {
    int x = a;
    a = b;
    b = c;
    c = d;
    d = x;
    return a + b - c + d;
  }

  static int slots1(int p0, int a, int b, int c, int d) {
    int x = a;
    a = b;
    b = c;
    c = d;
    d = x;
    return a + b - c + d;
  }

  static int slots2(int p0, int p1, int a, int b, int c, int d) {
    int x = a;
    a = b;
    b = c;
    c = d;
    d = x;
    return a + b - c + d;
  }

  static int slots3(int p0, int p1, int p2, int a, int b, int c, int d) {
    int x = a;
    a = b;
    b = c;
    c = d;
    d = x;
    return a + b - c + d;
  }

  static long operate(long a, long b) {
    long c = a + b, d = a - b, e = a * b, f = a / b, g = a % b;
    long h = (a & b) | (a ^ b), i = a << 3, j = a >> 2, k = a >>> 1;
    return c ^ -d ^ e ^ f ^ g ^ h ^ i ^ j ^ k;
  }

  static long slots0(long a, long b, long c, long d) {
    long x = a;
    a = b;
    b = c;
    c = d;
    d = x;
    return a + b - c + d;
  }

  static long slots1(int p0, long a, long b, long c, long d) {
    long x = a;
    a = b;
    b = c;
    c = d;
    d = x;
    return a + b - c + d;
  }

  static float operate(float a, float b) {
    float c = a + b, d = a - b, e = a * b, f = a / b, g = a % b;
    return c - -d + e * f - g;
  }

  static float slots0(float a, float b, float c, float d) {
    float x = a;
    a = b;
    b = c;
    c = d;
    d = x;
    return a + b - c + d;
  }

  static float slots1(int p0, float a, float b, float c, float d) {
    float x = a;
    a = b;
    b = c;
    c = d;
    d = x;
    return a + b - c + d;
  }

  static float slots2(int p0, int p1, float a, float b, float c, float d) {
    float x = a;
    a = b;
    b = c;
    c = d;
    d = x;
    return a + b - c + d;
  }

  static float slots3(int p0, int p1, int p2, float a, float b, float c, float d) {
    float x = a;
    a = b;
    b = c;
    c = d;
    d = x;
    return a + b - c + d;
  }

  static double operate(double a, double b) {
    double c = a + b, d = a - b, e = a * b, f = a / b, g = a % b;
    return c - -d + e * f - g;
  }

  static double slots0(double a, double b, double c, double d) {
    double x = a;
    a = b;
    b = c;
    c = d;
    d = x;
    return a + b - c + d;
  }

  static double slots1(int p0, double a, double b, double c, double d) {
    double x = a;
    a = b;
    b = c;
    c = d;
    d = x;
    return a + b - c + d;
  }

  static String references(String a, String b, String c, String d, String e) {
    String x = a;
    a = b;
    b = c;
    c = d;
    d = e;
    e = x;
    return a + b + c + d + e;
  }

  static String constants() {
    int i = -1 + zero();
    long l = 0;
    l += 1;
    float f = 0;
    f += 1;
    f *= 2;
    double d = 0;
    d += 1;
    Object none = null;
    return i + " " + l + " " + f + " " + d + " " + none + " " + 2 + zero() + 3 * one() + 4 * one()
        + 5 * one() + 100 * one() + 1000 * one() + 100000 * one() + 1e10 + 3.5f + 1L;
  }

  private static int zero() {
    return 0;
  }

  private static int one() {
    return 1;
  }

  static String conversions(int i, long l, float f, double d) {
    return (long) i + " " + (float) i + " " + (double) i + " " + (byte) i + " " + (char) (i + 60)
        + " " + (short) i + " " + (int) l + " " + (float) l + " " + (double) l + " " + (int) f + " "
        + (long) f + " " + (double) f + " " + (int) d + " " + (long) d + " " + (float) d;
  }

  static String comparisons(long l, float f, double d, Object o) {
    StringBuilder out = new StringBuilder();
    for (int i = -1; i <= 1; i++) {
      out.append(i == 0).append(i != 0).append(i < 0).append(i >= 0).append(i > 0).append(i <= 0);
      out.append(i == one()).append(i != one()).append(i < one()).append(i >= one());
      out.append(i > one()).append(i <= one()).append(l < i).append(l > i).append(l == i);
      out.append(f < i).append(f > i).append(d < i).append(d > i).append('\n');
    }
    return out.append(o == out).append(o != out).append(o == null).append(o != null).toString();
  }

  static String arrays() {
    int[] i = {1, 2};
    long[] l = {3, 4};
    float[] f = {5, 6};
    double[] d = {7, 8};
    String[] a = {"nine", "ten"};
    byte[] b = {11, 12};
    char[] c = {'m', 'n'};
    short[] s = {15, 16};
    boolean[] z = {true, false};
    int[][] grid = new int[2][3];
    i[0]++;
    l[1]++;
    f[0]--;
    d[1] *= 2;
    s[0] += 1;
    grid[1][2] = i[0]++;
    long was = l[0]++;
    return i[0] + " " + l[1] + " " + f[0] + " " + d[1] + " " + a[1] + b[0] + c[1] + s[0] + z[0]
        + grid[1][2] + was + a.length + new String[4][5][6].length;
  }

  static String all() {
    return operate(1234567, 89) + " " + operate(123456789012L, 345L) + " " + operate(1.5f, 0.25f)
        + " " + operate(-2.5, 1e-3) + "\n"
        + slots0(1, 20, 300, 4000) + " "
        + slots1(0, 1, 20, 300, 4000) + " "
        + slots2(0, 0, 1, 20, 300, 4000) + " "
        + slots3(0, 0, 0, 1, 20, 300, 4000) + " "
        + slots0((long) 1, (long) 20, (long) 300, (long) 4000) + " "
        + slots1(0, (long) 1, (long) 20, (long) 300, (long) 4000) + " "
        + slots0((float) 1, (float) 20, (float) 300, (float) 4000) + " "
        + slots1(0, (float) 1, (float) 20, (float) 300, (float) 4000) + " "
        + slots2(0, 0, (float) 1, (float) 20, (float) 300, (float) 4000) + " "
        + slots3(0, 0, 0, (float) 1, (float) 20, (float) 300, (float) 4000) + " "
        + slots0((double) 1, (double) 20, (double) 300, (double) 4000) + " "
        + slots1(0, (double) 1, (double) 20, (double) 300, (double) 4000) + " "
        + references("a", "b", "c", "d", "e") + constants() + "\n"
        + conversions(300, 5000000000L, 2.75f, -1e12) + "\n"
        + comparisons(0, Float.NaN, 0.5, "") + "\n" + arrays();
  }
}
