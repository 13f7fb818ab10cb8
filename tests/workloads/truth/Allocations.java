package truth;

/** Allocates many objects, and computes. The threads of the garbage collector are not measured. */
final class Allocations {
  private static final Object[] KEPT = new Object[1 << 16];

  private static final class Node {
    final Node next;

    Node(Node next) {
      this.next = next;
    }
  }

  private Allocations() {}

  public static void main(String[] args) throws Exception {
    Shares.print(
        args, Allocations.class, Allocations::run, "TOTAL nodes", "TOTAL arrays", "TOTAL large", "compute");
  }

  private static void run(Shares shares) {
    long x = 1;
    while (shares.startRound()) {
      x += nodes(60_000);
      shares.endPhase(0);
      x += arrays(3000);
      shares.endPhase(1);
      x += large(2);
      shares.endPhase(2);
      x = compute(x, 400_000);
      shares.endPhase(3);
    }
    if (x == 0) throw new AssertionError();
  }

  private static int nodes(int n) {
    Node last = null;
    for (int i = 0; i < n; i++) {
      last = new Node((i & 7) == 0 ? null : last);
      if ((i & 15) == 0) KEPT[i] = last;
    }
    return last == null ? 0 : 1;
  }

  private static int arrays(int n) {
    for (int i = 0; i < n; i++) KEPT[i << 4] = new byte[64 + (i & 511)];
    return KEPT.length;
  }

  private static int large(int n) {
    for (int i = 0; i < n; i++) KEPT[i] = new long[100_000];
    return KEPT.length;
  }

  private static long compute(long x, int n) {
    for (int i = 0; i < n; i++) x = x * x + i;
    return x;
  }
}
