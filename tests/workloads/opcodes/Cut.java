package opcodes;

/** Methods that a shortcut may skip. Each call counts the expected number of shortcuts. */
class Cut {
  static int calls;
  static int over;
  static int ran;
  int n;

  void plain() {
    ran++;
    if (n > 2) return;
    n++;
  }

  /** Jumps to its start, so that a stack map frame is there. */
  void loop(int to) {
    do {
      to--;
    } while (to > n);
    ran++;
  }

  boolean every(byte b, short s, char c, int i, long l, float f, double d, boolean z, String t,
      int[] a) {
    ran++;
    return b > 0 || s + c + i + l + f + d + t.length() + a.length < 0 && z;
  }

  synchronized boolean locked(long l) {
    ran++;
    if (l < 0) return true;
    Locks.methods++;
    synchronized (this) {
      Locks.statements++;
      return l < 100;
    }
  }

  /** Counts a call; `over` is the expected result of Counter.isOver. */
  private void called(boolean over) {
    calls++;
    if (over) Cut.over++;
  }

  static String all() {
    StringBuilder out = new StringBuilder();
    Cut cut = new Cut();
    for (int i = 0; i < 5; i++) {
      cut.called(cut.n > 2);
      cut.plain();
      cut.called(false);
      cut.loop(i);
      cut.called(i > 0);
      out.append(cut.every((byte) i, (short) 1, 'c', 2, 3L, 4f, 5.0, true, "six", new int[7]));
      boolean isOver = i == 3;
      cut.called(isOver);
      out.append(cut.locked(isOver ? -1 : 50 * i));
    }
    return out.append(cut.n).toString();
  }

  static String report(int ran) {
    return calls + " asked, " + over + " cut, " + ran + " ran";
  }
}
