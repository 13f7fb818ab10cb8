package opcodes;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Classes with what javac never writes: subroutines, jumps as far as they go, odd frames.
 *
 * <p>{@code Assembled DIR} writes them as files below DIR.
 */
public final class Assembled {
  private static final int NOP = 0;
  private static final int ACONST_NULL = 1;
  private static final int ICONST_1 = 4;
  private static final int BIPUSH = 16;
  private static final int SIPUSH = 17;
  private static final int LDC_W = 19;
  private static final int ILOAD_0 = 26;
  private static final int ILOAD_1 = 27;
  private static final int ISTORE_0 = 59;
  private static final int ISTORE_1 = 60;
  private static final int ASTORE = 58;
  private static final int SWAP = 95;
  private static final int ISUB = 100;
  private static final int IINC = 132;
  private static final int IFEQ = 153;
  private static final int IFGT = 157;
  private static final int IF_ICMPNE = 160;
  private static final int GOTO = 167;
  private static final int JSR = 168;
  private static final int RET = 169;
  private static final int IRETURN = 172;
  private static final int ARETURN = 176;
  private static final int WIDE = 196;
  private static final int GOTO_W = 200;
  private static final int JSR_W = 201;

  /** So many that the jumps over them just reach, until hooks stand before all the returns. */
  private static final int EXITS = 2960;

  private Assembled() {}

  static Map<String, byte[]> classes() throws IOException {
    Map<String, byte[]> classes = new LinkedHashMap<>();
    for (int version : new int[] {46, 49, 50, 52}) {
      String name = "Version" + version;
      ClassBytes c = new ClassBytes(version, "opcodes/" + name);
      text(c);
      far(c);
      if (c.hasFrames()) {
        frames(c);
      } else {
        subroutines(c);
        farSubroutine(c);
      }
      classes.put(name, c.toBytes());
    }
    return classes;
  }

  private static void text(ClassBytes c) throws IOException {
    Code code = new Code(c.hasFrames());
    code.op(NOP).op2(LDC_W, c.string("a constant")).op(ARETURN);
    c.method("text", "()Ljava/lang/String;", 1, 0, code);
  }

  /** far(n, rounds): n where it is a number below EXITS; the jumps to all four ends are far. */
  private static void far(ClassBytes c) throws IOException {
    Code code = new Code(c.hasFrames());
    code.label("start").op(ILOAD_0).jump(IFEQ, "zero");
    code.op(ILOAD_0, BIPUSH, -1).jump(IF_ICMPNE, "exits").jump(GOTO, "minus one");
    code.label("exits");
    exits(code);
    code.op(IINC, 1, -1, ILOAD_1).jump(IFGT, "start").op2(SIPUSH, -300).op(IRETURN);
    code.label("zero").op2(SIPUSH, -100).op(IRETURN);
    code.label("minus one").op2(SIPUSH, -200).op(IRETURN);
    c.method("far", "(II)I", 2, 2, code);
  }

  private static void exits(Code code) {
    for (int i = 1; i < EXITS; i++) {
      code.op(ILOAD_0).op2(SIPUSH, i).jump(IF_ICMPNE, "not " + i).op2(SIPUSH, i).op(IRETURN);
      code.label("not " + i);
    }
  }

  /** frames(n) = 1, by kinds of frames that javac hardly ever makes. */
  private static void frames(ClassBytes c) throws IOException {
    int integer = 1;
    int isNull = 5;
    Code code = new Code(true);
    code.op(ICONST_1, ISTORE_1, ACONST_NULL, ASTORE, 2, ILOAD_0).jump(IFEQ, "append");
    code.op(new int[70]);
    code.label("append", 253, integer, isNull).op(ILOAD_1, ILOAD_0).jump(IFEQ, "stack");
    code.op(new int[70]);
    code.label("stack", Code.STACK, integer).op(ISTORE_0, ILOAD_0).jump(IFEQ, "chop").op(NOP);
    code.label("chop", 249).op(ILOAD_0, IRETURN);
    c.method("frames", "(I)I", 2, 3, code);
  }

  /** subroutines(n) = n + 3; the last subroutine is called with something on the stack. */
  private static void subroutines(ClassBytes c) throws IOException {
    Code code = new Code(false);
    code.op(ILOAD_0, ISTORE_1).jump(JSR, "add five").jumpWide(JSR_W, "add five");
    code.jumpWide(GOTO_W, "over").op(NOP);
    code.label("add five").op(ASTORE, 2, IINC, 1, 5, RET, 2);
    code.label("over").op(BIPUSH, 7, ILOAD_1, SWAP, ISUB).jump(JSR, "nothing").op(IRETURN);
    code.label("nothing").op(ASTORE, 3, WIDE, RET, 0, 3);
    c.method("subroutines", "(I)I", 3, 4, code);
  }

  private static void farSubroutine(ClassBytes c) throws IOException {
    Code code = new Code(false);
    code.op(ILOAD_0, ISTORE_1).jump(JSR, "add five");
    exits(code);
    code.op(ILOAD_1, IRETURN);
    code.label("add five").op(ASTORE, 2, IINC, 1, 5, RET, 2);
    c.method("farSubroutine", "(I)I", 2, 3, code);
  }

  /** Loads such a class, from the class path where it is there. */
  static Class<?> load(String name, byte[] bytes) {
    try {
      return Class.forName("opcodes." + name);
    } catch (ClassNotFoundException notThere) {
      return new ClassLoader(Assembled.class.getClassLoader()) {
        Class<?> define() {
          return defineClass("opcodes." + name, bytes, 0, bytes.length);
        }
      }.define();
    }
  }

  private static Object call(Class<?> c, String method, Object... arguments) throws Exception {
    Class<?>[] types = new Class<?>[arguments.length];
    Arrays.fill(types, int.class);
    return c.getMethod(method, types).invoke(null, arguments);
  }

  private static boolean has(Class<?> c, String method) {
    for (Method m : c.getMethods()) {
      if (m.getName().equals(method)) return true;
    }
    return false;
  }

  static String all() throws Exception {
    StringBuilder out = new StringBuilder();
    for (Map.Entry<String, byte[]> entry : classes().entrySet()) {
      Class<?> c = load(entry.getKey(), entry.getValue());
      out.append(c.getName()).append(' ').append(call(c, "text"));
      for (int n : new int[] {-2, -1, 0, 1, 1500, EXITS - 1, EXITS}) {
        out.append(' ').append(call(c, "far", n, 3));
      }
      if (has(c, "frames")) {
        out.append(' ').append(call(c, "frames", 0)).append(call(c, "frames", 2));
      }
      if (has(c, "subroutines")) {
        out.append(' ').append(call(c, "subroutines", 100));
        out.append(' ').append(call(c, "farSubroutine", 0)).append(call(c, "farSubroutine", 2000));
      }
      out.append('\n');
    }
    return out.toString();
  }

  public static void main(String[] args) throws IOException {
    Path folder = Paths.get(args[0], "opcodes");
    Files.createDirectories(folder);
    for (Map.Entry<String, byte[]> entry : classes().entrySet()) {
      Files.write(folder.resolve(entry.getKey() + ".class"), entry.getValue());
    }
  }
}
