package truth;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;

/** Calls through a constant method handle, through variable method handles, and by reflection. */
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
    MethodHandle[] handles = new MethodHandle[4];
    for (int i = 0; i < handles.length; i++) {
      handles[i] = MethodHandles.filterReturnValue(CONSTANT, MethodHandles.identity(long.class));
    }
    Shares.print(
        args, Handles.class, shares -> run(shares, handles), "TOTAL constant", "TOTAL variable", "TOTAL reflect");
  }

  private static void run(Shares shares, MethodHandle[] handles) throws Exception {
    long x = 1;
    while (shares.startRound()) {
      x = constant(x, 200_000);
      shares.endPhase(0);
      x = variable(x, handles, 40_000);
      shares.endPhase(1);
      x = reflect(x, 30_000);
      shares.endPhase(2);
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

  private static long variable(long x, MethodHandle[] handles, int n) {
    try {
      for (int i = 0; i < n; i++) x = (long) handles[i & 3].invokeExact(x);
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
