package truth;

/** A short run with many methods. Most of them are interpreted at first, and compiled during the measurement. */
final class ManyMethods {
  private interface Step {
    long apply(long x);
  }

  private ManyMethods() {}

  public static void main(String[] args) throws Exception {
    Shares.print(args, ManyMethods.class, ManyMethods::run, "TOTAL read", "TOTAL handle", "TOTAL render");
  }

  private static void run(Shares shares) {
    Step[] reads = {
      ManyMethods::r0, ManyMethods::r1, ManyMethods::r2, ManyMethods::r3,
      ManyMethods::r4, ManyMethods::r5, ManyMethods::r6, ManyMethods::r7,
      ManyMethods::r8, ManyMethods::r9
    };
    Step[] handles = {
      ManyMethods::h0, ManyMethods::h1, ManyMethods::h2, ManyMethods::h3,
      ManyMethods::h4, ManyMethods::h5, ManyMethods::h6, ManyMethods::h7,
      ManyMethods::h8, ManyMethods::h9
    };
    Step[] renders = {
      ManyMethods::w0, ManyMethods::w1, ManyMethods::w2, ManyMethods::w3,
      ManyMethods::w4, ManyMethods::w5, ManyMethods::w6, ManyMethods::w7,
      ManyMethods::w8, ManyMethods::w9
    };
    long x = 1;
    for (int round = 0; shares.startRound(); round++) {
      x = read(reads, x, round);
      shares.endPhase(0);
      x = handle(handles, x, round);
      shares.endPhase(1);
      x = render(renders, x, round);
      shares.endPhase(2);
    }
    if (x == 0) throw new AssertionError();
  }

  private static long read(Step[] reads, long x, int round) {
    for (int i = 0; i < 30; i++) x = reads[(i + round) % 10].apply(x);
    return x;
  }

  private static long handle(Step[] handles, long x, int round) {
    for (int i = 0; i < 60; i++) x = handles[(i + round) % 10].apply(x);
    return x;
  }

  private static long render(Step[] renders, long x, int round) {
    for (int i = 0; i < 20; i++) x = renders[(i + round) % 10].apply(x);
    return x;
  }

  private static long r0(long x) {
    for (int i = 0; i < 1414; i++) x = (x << 38) ^ (x >>> 5);
    return x;
  }

  private static long r1(long x) {
    for (int i = 0; i < 1270; i++) x = (x << 24) ^ (x >>> 5);
    return x;
  }

  private static long r2(long x) {
    for (int i = 0; i < 326; i++) x = x * x + 39;
    return x;
  }

  private static long r3(long x) {
    for (int i = 0; i < 1428; i++) x = x * 31 + Long.numberOfLeadingZeros(x | 17);
    return x;
  }

  private static long r4(long x) {
    for (int i = 0; i < 1263; i++) x = (x << 13) ^ (x >>> 5);
    return x;
  }

  private static long r5(long x) {
    for (int i = 0; i < 608; i++) x = x * 31 + Long.numberOfLeadingZeros(x | 26);
    return x;
  }

  private static long r6(long x) {
    for (int i = 0; i < 1371; i++) x = (x << 10) ^ (x >>> 5);
    return x;
  }

  private static long r7(long x) {
    for (int i = 0; i < 431; i++) x = x * 31 + Long.numberOfLeadingZeros(x | 1);
    return x;
  }

  private static long r8(long x) {
    for (int i = 0; i < 387; i++) x = (x << 38) ^ (x >>> 5);
    return x;
  }

  private static long r9(long x) {
    for (int i = 0; i < 851; i++) x += (x & 2) + Long.bitCount(x);
    return x;
  }

  private static long h0(long x) {
    for (int i = 0; i < 1093; i++) x = x * 31 + Long.numberOfLeadingZeros(x | 39);
    return x;
  }

  private static long h1(long x) {
    for (int i = 0; i < 1481; i++) x = x * 31 + Long.numberOfLeadingZeros(x | 26);
    return x;
  }

  private static long h2(long x) {
    for (int i = 0; i < 1048; i++) x = x * 31 + Long.numberOfLeadingZeros(x | 9);
    return x;
  }

  private static long h3(long x) {
    for (int i = 0; i < 578; i++) x = x * x + 3;
    return x;
  }

  private static long h4(long x) {
    for (int i = 0; i < 828; i++) x = x * 31 + Long.numberOfLeadingZeros(x | 14);
    return x;
  }

  private static long h5(long x) {
    for (int i = 0; i < 1162; i++) x = x * 31 + Long.numberOfLeadingZeros(x | 20);
    return x;
  }

  private static long h6(long x) {
    for (int i = 0; i < 1018; i++) x = x * 31 + Long.numberOfLeadingZeros(x | 37);
    return x;
  }

  private static long h7(long x) {
    for (int i = 0; i < 775; i++) x = x * 31 + Long.numberOfLeadingZeros(x | 38);
    return x;
  }

  private static long h8(long x) {
    for (int i = 0; i < 872; i++) x += (x & 2) + Long.bitCount(x);
    return x;
  }

  private static long h9(long x) {
    for (int i = 0; i < 1409; i++) x = (x << 21) ^ (x >>> 5);
    return x;
  }

  private static long w0(long x) {
    for (int i = 0; i < 1474; i++) x = x * x + 14;
    return x;
  }

  private static long w1(long x) {
    for (int i = 0; i < 554; i++) x += (x & 19) + Long.bitCount(x);
    return x;
  }

  private static long w2(long x) {
    for (int i = 0; i < 1290; i++) x = x * x + 31;
    return x;
  }

  private static long w3(long x) {
    for (int i = 0; i < 436; i++) x = x * x + 23;
    return x;
  }

  private static long w4(long x) {
    for (int i = 0; i < 341; i++) x = x * 31 + Long.numberOfLeadingZeros(x | 10);
    return x;
  }

  private static long w5(long x) {
    for (int i = 0; i < 1150; i++) x += (x & 28) + Long.bitCount(x);
    return x;
  }

  private static long w6(long x) {
    for (int i = 0; i < 392; i++) x = x * x + 3;
    return x;
  }

  private static long w7(long x) {
    for (int i = 0; i < 977; i++) x = x * 31 + Long.numberOfLeadingZeros(x | 38);
    return x;
  }

  private static long w8(long x) {
    for (int i = 0; i < 783; i++) x += (x & 33) + Long.bitCount(x);
    return x;
  }

  private static long w9(long x) {
    for (int i = 0; i < 314; i++) x = x * x + 20;
    return x;
  }
}
