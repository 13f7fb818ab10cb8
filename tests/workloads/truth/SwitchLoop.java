package truth;

/** An interpreter: a loop around a switch. */
final class SwitchLoop {
  private static final byte[] CODE = new byte[4096];

  private SwitchLoop() {}

  public static void main(String[] args) throws Exception {
    Shares.print(args, SwitchLoop.class, SwitchLoop::run, "interpret", "refill", "verify");
  }

  private static void run(Shares shares) {
    long x = 1;
    while (shares.startRound()) {
      for (int i = 0; i < 400; i++) refill(i);
      shares.endPhase(1);
      for (int i = 0; i < 100; i++) x = interpret(x);
      shares.endPhase(0);
      for (int i = 0; i < 300; i++) x += verify();
      shares.endPhase(2);
    }
    if (x == 0) throw new AssertionError();
  }

  private static void refill(int seed) {
    int random = seed;
    for (int i = 0; i < CODE.length; i++) {
      random = random * 1664525 + 1013904223;
      CODE[i] = (byte) (random >>> 24);
    }
  }

  private static long interpret(long x) {
    long y = 1;
    for (int at = 0; at < CODE.length; at++) {
      switch (CODE[at] & 15) {
        case 0: x += y; break;
        case 1: x -= at; break;
        case 2: y ^= x; break;
        case 3: x *= 31; break;
        case 4: y += 7; break;
        case 5: x = x << 5 ^ x >>> 59; break;
        case 6: x = ~x; break;
        case 7: y = x + 1; break;
        case 8: y *= 3; break;
        case 9: if ((x & 1) == 0) at++; break;
        case 10: x |= 5; break;
        case 11: y -= x; break;
        default: x++;
      }
    }
    return x ^ y;
  }

  private static int verify() {
    int bad = 0;
    for (byte b : CODE) bad = bad * 3 + (b & 15);
    return bad;
  }
}
