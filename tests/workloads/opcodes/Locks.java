package opcodes;

/** Counts how often it enters monitors, for comparison with the hooks. */
class Locks {
  static int statements;
  static int methods;
  private static final Object outer = new Object();
  private static final Object inner = new Object();
  private int n;

  int statement(Object lock) {
    synchronized (lock) {
      statements++;
      n++;
    }
    return n;
  }

  static int nested(int n) {
    synchronized (outer) {
      statements++;
      if (n == 1) return n;
      synchronized (inner) {
        statements++;
        if (n == 2) return n;
        synchronized (outer) {
          statements++;
          if (n == 3) throw new IllegalStateException("three");
        }
      }
      for (int i = 0; i < n; i++) {
        synchronized (inner) {
          statements++;
          if (i == 3) continue;
          if (i == 5) break;
        }
      }
    }
    return n;
  }

  static String caught(int n) {
    StringBuilder out = new StringBuilder();
    try {
      synchronized (outer) {
        statements++;
        try {
          synchronized (inner) {
            statements++;
            out.append(10 / n);
          }
        } catch (ArithmeticException e) {
          out.append("division");
          throw new IllegalStateException(e);
        } finally {
          synchronized (inner) {
            statements++;
            out.append(" finally");
          }
        }
      }
    } catch (IllegalStateException e) {
      out.append(" caught");
    }
    return out.toString();
  }

  static void none(Object lock) {
    synchronized (lock) {
      statements += 1000;
    }
  }

  synchronized long method(long l, int n) {
    methods++;
    if (n == 0) throw new IllegalArgumentException("none");
    return n > 1 ? method(l, n - 1) + statement(this) : l;
  }

  static synchronized String staticMethod(Object o, boolean again) {
    methods++;
    synchronized (Locks.class) {
      statements++;
      return again ? staticMethod(o, false) : o.toString();
    }
  }

  synchronized void waiting() throws InterruptedException {
    methods++;
    wait(1);
  }

  static String all() throws InterruptedException {
    StringBuilder out = new StringBuilder();
    Locks locks = new Locks();
    out.append(locks.statement(outer)).append(locks.statement(locks));
    for (int n = 0; n < 8; n++) {
      try {
        out.append(nested(n));
      } catch (IllegalStateException e) {
        out.append(e.getMessage());
      }
    }
    out.append(caught(0)).append(caught(1)).append(locks.method(7, 3));
    try {
      none(null);
    } catch (NullPointerException e) {
      out.append("no lock");
    }
    try {
      locks.method(0, 0);
    } catch (IllegalArgumentException e) {
      out.append(e.getMessage());
    }
    locks.waiting();
    out.append(staticMethod("text", true));
    for (Object lock : new Object[] {outer, inner, locks, Locks.class}) {
      out.append(Thread.holdsLock(lock));
    }
    return out.toString();
  }

  /** The expected counts. The call none(null) fails after it asked for a monitor, before it entered. */
  static String report() {
    int taken = statements + methods;
    return statements + 1 + " asked, " + taken + " entered, " + taken + " left";
  }

  /** Recurses until the stack overflows, possibly inside a hook. */
  static int deep(Object lock, int n) {
    synchronized (lock) {
      try {
        return deep(lock, n + 1);
      } catch (ArithmeticException e) {
        return n;
      }
    }
  }

  synchronized int deepMethod(int n) {
    return deepMethod(n + 1) + statement(outer);
  }

  private static void overflow(Object lock) {
    try {
      if (lock instanceof Locks) {
        ((Locks) lock).deepMethod(0);
      } else {
        deep(lock, 0);
      }
      throw new Error("it came back");
    } catch (StackOverflowError expected) {
      if (Thread.holdsLock(lock) || Thread.holdsLock(outer)) throw new Error("still held");
    }
  }

  /** Calls all methods until the JVM has compiled them, then lets the stack overflow in them. */
  public static void main(String[] args) throws InterruptedException {
    Locks locks = new Locks();
    long sum = 0;
    for (int i = 0; i < 200_000; i++) {
      sum += locks.statement(outer) + nested(i % 2 == 0 ? 4 : 1) + locks.method(i, 2);
      sum += staticMethod("text", false).length();
    }
    for (int i = 0; i < 30; i++) overflow(i % 2 == 0 ? locks : outer);
    System.out.println(sum + " and every monitor is free");
  }
}
