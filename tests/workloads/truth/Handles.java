package truth;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;

/** Method handles that are constant and that are not, and reflection. */
final class Handles {
  private static final MethodHandle CONSTANT;
  private static final Method REFLECTED;

  static {
    try {
      MethodType type = MethodType.methodType(long.class, long.class);
      CONSTANT = MethodHandles.lookup().findStatic(Handles.class, "half", type);
      REFLECTED = Handles.class.getDeclaredMethod("step", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private Handles() {}

  public static void main(String[] args) throws Exception {
    MethodHandle[] several = new MethodHandle[4];
    for (int i = 0; i < several.length; i++) {
      several[i] = MethodHandles.filterReturnValue(CONSTANT, MethodHandles.identity(long.class));
    }
    Shares.print(
        args, Handles.class, shares -> run(shares, several), "TOTAL constant", "TOTAL variable", "TOTAL reflect");
  }

  private static void run(Shares shares, MethodHandle[] several) throws Exception {
    long x = 1;
    while (shares.more()) {
      x = constant(x, 200_000);
      shares.lap(0);
      x = variable(x, several, 40_000);
      shares.lap(1);
      x = reflect(x, 30_000);
      shares.lap(2);
    }
    if (x == 0) throw new AssertionError();
  }

  private static long half(long x) {
    return (x >>> 1) * x + 3;
  }

  private static long step(long x) {
    return x * x + 5;
  }

  private static long constant(long x, int n) {
    try {
      for (int i = 0; i < n; i++) x = (long) CONSTANT.invokeExact(x);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    return x;
  }

  private static long variable(long x, MethodHandle[] several, int n) {
    try {
      for (int i = 0; i < n; i++) x = (long) several[i & 3].invokeExact(x);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    return x;
  }

  private static long reflect(long x, int n) throws Exception {
    for (int i = 0; i < n; i++) x = (long) REFLECTED.invoke(null, x);
    return x;
  }
}
