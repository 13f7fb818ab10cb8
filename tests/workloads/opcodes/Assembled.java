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
 * Classes with code that javac never writes: subroutines, jumps of the largest distance, rare frames.
 *
 * <p>{@code Assembled DIR} writes the class files into DIR/opcodes.
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

  /** With this many exits a jump over them just fits into two bytes. With hooks before the returns it does not. */
  private static final int EXITS = 2960;

  private Assembled() {}

  static Map<String, byte[]> classes() throws IOException {
    Map<String, byte[]> classes = new LinkedHashMap<>();
    for (int version : new int[] {46, 49, 50, 52}) {
      String name = "Version" + version;
      ClassBytes c = new ClassBytes(version, "opcodes/" + name);
      putText(c);
      putFar(c);
      if (c.hasFrames()) {
        putFrames(c);
      } else {
        putSubroutines(c);
        putFarSubroutine(c);
      }
      classes.put(name, c.toBytes());
    }
    return classes;
  }

  private static void putText(ClassBytes c) throws IOException {
    Code code = new Code(c.hasFrames());
    code.op(NOP).op2(LDC_W, c.string("a constant")).op(ARETURN);
    c.method("text", "()Ljava/lang/String;", 1, 0, code);
  }

  /** far(n, rounds) returns n if it is from 1 to EXITS - 1. All jumps over the exits are far. */
  private static void putFar(ClassBytes c) throws IOException {
    Code code = new Code(c.hasFrames());
    code.label("start").op(ILOAD_0).jump(IFEQ, "zero");
    code.op(ILOAD_0, BIPUSH, -1).jump(IF_ICMPNE, "exits").jump(GOTO, "minus one");
    code.label("exits");
    putExits(code);
    code.op(IINC, 1, -1, ILOAD_1).jump(IFGT, "start").op2(SIPUSH, -300).op(IRETURN);
    code.label("zero").op2(SIPUSH, -100).op(IRETURN);
    code.label("minus one").op2(SIPUSH, -200).op(IRETURN);
    c.method("far", "(II)I", 2, 2, code);
  }

  private static void putExits(Code code) {
    for (int i = 1; i < EXITS; i++) {
      code.op(ILOAD_0).op2(SIPUSH, i).jump(IF_ICMPNE, "not " + i).op2(SIPUSH, i).op(IRETURN);
      code.label("not " + i);
    }
  }

  /** frames(n) returns 1. Its kinds of frames are those that javac hardly ever writes. */
  private static void putFrames(ClassBytes c) throws IOException {
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

  /** subroutines(n) returns n + 3. It calls the last subroutine with a value on the operand stack. */
  private static void putSubroutines(ClassBytes c) throws IOException {
    Code code = new Code(false);
    code.op(ILOAD_0, ISTORE_1).jump(JSR, "add five").jumpWide(JSR_W, "add five");
    code.jumpWide(GOTO_W, "over").op(NOP);
    code.label("add five").op(ASTORE, 2, IINC, 1, 5, RET, 2);
    code.label("over").op(BIPUSH, 7, ILOAD_1, SWAP, ISUB).jump(JSR, "nothing").op(IRETURN);
    code.label("nothing").op(ASTORE, 3, WIDE, RET, 0, 3);
    c.method("subroutines", "(I)I", 3, 4, code);
  }

  private static void putFarSubroutine(ClassBytes c) throws IOException {
    Code code = new Code(false);
    code.op(ILOAD_0, ISTORE_1).jump(JSR, "add five");
    putExits(code);
    code.op(ILOAD_1, IRETURN);
    code.label("add five").op(ASTORE, 2, IINC, 1, 5, RET, 2);
    c.method("farSubroutine", "(I)I", 2, 3, code);
  }

  /** Returns the class from the class path, or else defines it from the bytes. */
  static Class<?> load(String name, byte[] bytes) {
    try {
      return Class.forName("opcodes." + name);
    } catch (ClassNotFoundException notFound) {
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

  private static boolean hasMethod(Class<?> c, String method) {
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
      if (hasMethod(c, "frames")) {
        out.append(' ').append(call(c, "frames", 0)).append(call(c, "frames", 2));
      }
      if (hasMethod(c, "subroutines")) {
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
