package opcodes;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Every kind of control flow: jumps, switches, calls, exceptions, monitors. */
class Flow {
  private static int made;
  private int field;
  private long wide;
  private final Supplier<String> supplier;

  Flow(int start) {
    this(start > 2 ? new StringBuilder("large") : new StringBuilder(start == 0 ? "zero" : "small"));
    field = start;
  }

  private Flow(StringBuilder text) {
    made++;
    supplier = text.append(made)::toString;
  }

  /** A constructor that may fail before, inside and after the superclass's constructor. */
  static final class Failing extends Flow {
    Failing(int when) {
      super(check(when, 0));
      check(when, 2);
      if (when == 3) return;
      check(when, 4);
    }

    private static int check(int when, int now) {
      if (when == now) throw new IllegalStateException("failed at " + now);
      return now;
    }
  }

  @SuppressWarnings("fallthrough")
  static String table(int n) {
    switch (n) {
      case 1:
        return "one";
      case 2:
        n += 10;
      case 3:
        return "three or " + n;
      case 5:
        break;
      default:
        return "other";
    }
    return "five";
  }

  static int lookup(int n) {
    switch (n) {
      case Integer.MIN_VALUE:
        return 1;
      case -5:
        return 2;
      case 1000:
        return 3;
      case Integer.MAX_VALUE:
        return 4;
      default:
        return -1;
    }
  }

  static int backToStart(int n) {
    while (true) {
      n -= 3;
      if (n < 0) return n;
    }
  }

  static synchronized long counted(long n) {
    Locks.methods++;
    return made + n;
  }

  String locked(Object lock) {
    synchronized (lock) {
      Locks.statements++;
      if (field > 2) return "large " + field++ + wide++ + ++this.wide;
      synchronized (this) {
        Locks.statements++;
        field += 2;
      }
    }
    return supplier.get();
  }

  static String caught(int n) {
    StringBuilder out = new StringBuilder();
    try {
      try {
        out.append(10 / n);
        if (n == 2) return out.append(" early").toString();
        Object o = n > 2 ? "text" : Integer.valueOf(n);
        out.append((Integer) o);
      } catch (ArithmeticException e) {
        out.append("division ");
        throw new IllegalStateException(e);
      } finally {
        out.append(" inner");
      }
    } catch (ClassCastException | IllegalStateException e) {
      out.append(e instanceof ClassCastException).append(" outer");
    } finally {
      out.append(" end");
    }
    return out.toString();
  }

  static void thrower(String text) {
    throw new IllegalArgumentException(text);
  }

  static double calls(List<Integer> list) {
    Supplier<Integer> size = list::size;
    list.forEach(i -> made += i);
    list.add(list.hashCode());
    counted(1);
    return size.get() + made;
  }

  /** More locals than an index of one byte can address. */
  static double manyLocals(int n) {
    long a0 = n, a1 = n, a2 = n, a3 = n, a4 = n, a5 = n, a6 = n, a7 = n, a8 = n, a9 = n, a10 = n,
        a11 = n, a12 = n, a13 = n, a14 = n, a15 = n, a16 = n, a17 = n, a18 = n, a19 = n, a20 = n,
        a21 = n, a22 = n, a23 = n, a24 = n, a25 = n, a26 = n, a27 = n, a28 = n, a29 = n, a30 = n,
        a31 = n, a32 = n, a33 = n, a34 = n, a35 = n, a36 = n, a37 = n, a38 = n, a39 = n, a40 = n,
        a41 = n, a42 = n, a43 = n, a44 = n, a45 = n, a46 = n, a47 = n, a48 = n, a49 = n, a50 = n,
        a51 = n, a52 = n, a53 = n, a54 = n, a55 = n, a56 = n, a57 = n, a58 = n, a59 = n, a60 = n,
        a61 = n, a62 = n, a63 = n, a64 = n, a65 = n, a66 = n, a67 = n, a68 = n, a69 = n, a70 = n,
        a71 = n, a72 = n, a73 = n, a74 = n, a75 = n, a76 = n, a77 = n, a78 = n, a79 = n, a80 = n,
        a81 = n, a82 = n, a83 = n, a84 = n, a85 = n, a86 = n, a87 = n, a88 = n, a89 = n, a90 = n,
        a91 = n, a92 = n, a93 = n, a94 = n, a95 = n, a96 = n, a97 = n, a98 = n, a99 = n, a100 = n,
        a101 = n, a102 = n, a103 = n, a104 = n, a105 = n, a106 = n, a107 = n, a108 = n, a109 = n,
        a110 = n, a111 = n, a112 = n, a113 = n, a114 = n, a115 = n, a116 = n, a117 = n, a118 = n,
        a119 = n, a120 = n, a121 = n, a122 = n, a123 = n, a124 = n, a125 = n, a126 = n, a127 = n,
        a128 = n, a129 = n;
    int i = n;
    long l = i + a129;
    float f = l;
    double d = f;
    String s = "s" + d;
    n += 1000;
    i += 1000;
    i += n;
    l = l + i;
    f = f + l;
    d = d + f;
    s = s + d;
    return l + f + d + s.length();
  }

  static String all() {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < 7; i++) out.append(table(i)).append(' ').append(lookup(i - 5)).append(' ');
    out.append(lookup(Integer.MIN_VALUE)).append(lookup(Integer.MAX_VALUE)).append(lookup(1000));
    out.append(backToStart(100)).append(new Flow(0).locked("")).append(new Flow(3).locked(""));
    for (int i = 0; i < 4; i++) out.append(caught(i)).append('\n');
    for (int i = 0; i < 5; i++) {
      try {
        out.append(((Flow) new Failing(i)).field);
      } catch (IllegalStateException e) {
        out.append(e.getMessage());
      }
    }
    try {
      thrower("thrown");
    } catch (IllegalArgumentException e) {
      out.append(e.getMessage());
    }
    return out.append(calls(new ArrayList<>())).append(manyLocals(5)).toString();
  }
}
