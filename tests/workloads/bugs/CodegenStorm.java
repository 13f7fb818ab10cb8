package bugs;

import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;

/** Each query gets a class of its own, that the JIT compiler has to compile once more. */
public class CodegenStorm {
  /** What a generator would write. */
  static class Kernel {
    static long run(int[] rows) {
      long a = 0;
      long b = 1;
      for (int i = 0; i < rows.length; i++) {
        a += filter(rows[i]) ? project(rows[i]) : 0;
        b = b * 31 + bucket(rows[i], a);
        if ((b & 7) == 3) a ^= fold(b, rows[i]);
      }
      return a + b;
    }

    static boolean filter(int row) {
      return row % 3 == 0 || row % 7 == 2 && row > 100;
    }

    static long project(int row) {
      return switch (row & 7) {
        case 0 -> row * 3L;
        case 1 -> row - 5L;
        case 2 -> row ^ 0x55L;
        case 3 -> (long) row << 2;
        default -> row;
      };
    }

    static int bucket(int row, long seed) {
      int h = (int) (row * 0x9E3779B9L ^ seed);
      return (h ^ h >>> 15) & 1023;
    }

    static long fold(long b, int row) {
      long x = b;
      for (int k = 0; k < 4; k++) x = Long.rotateLeft(x, 5) ^ row + k;
      return x;
    }
  }

  static long query(byte[] code, int[] rows) throws Throwable {
    MethodHandles.Lookup kernel = MethodHandles.lookup().defineHiddenClass(code, true);
    MethodHandle run = kernel.findStatic(kernel.lookupClass(), "run", MethodType.methodType(long.class, int[].class));
    long sum = 0;
    for (int i = 0; i < 40; i++) sum += (long) run.invokeExact(rows);
    return sum;
  }

  public static void main(String[] args) throws Throwable {
    byte[] code;
    try (InputStream in = CodegenStorm.class.getResourceAsStream("CodegenStorm$Kernel.class")) {
      code = in.readAllBytes();
    }
    int[] rows = new int[1000];
    for (int i = 0; i < rows.length; i++) rows[i] = i * 37 % 1009;
    long end = System.nanoTime() + 6_000_000_000L;
    int queries = 0;
    long sum = 0;
    while (System.nanoTime() < end) {
      sum += query(code, rows);
      queries++;
    }
    System.out.println("queries " + queries + ", JIT " + ManagementFactory.getCompilationMXBean().getTotalCompilationTime()
        + " ms, sum " + sum);
  }
}
