package counted;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * The bytes of a class file whose names are as odd as one likes:
 *
 * <pre>
 * public class NAME implements Runnable {
 *     public NAME() {}
 *     public void run() { METHOD(); }
 *     public static void METHOD() throws InterruptedException { Thread.sleep(1L); }
 * }
 * </pre>
 */
final class OddClass {
    private static final int JAVA_5 = 49; // needs no stack maps, and allows almost any name
    private static final int PUBLIC = 1;
    private static final int STATIC = 8;

    private static final int LCONST_1 = 0x0A;
    private static final int ALOAD_0 = 0x2A;
    private static final int RETURN = 0xB1;
    private static final int INVOKESPECIAL = 0xB7;
    private static final int INVOKESTATIC = 0xB8;

    private final ByteArrayOutputStream poolBytes = new ByteArrayOutputStream();
    private final ByteArrayOutputStream bodyBytes = new ByteArrayOutputStream();
    private final DataOutputStream pool = new DataOutputStream(poolBytes);
    private final DataOutputStream body = new DataOutputStream(bodyBytes);
    private int constants;

    private OddClass() {}

    static byte[] make(String name, String method, String source) throws IOException {
        OddClass c = new OddClass();
        c.body(name, method, source);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(0xCAFEBABE);
        out.writeInt(JAVA_5);
        out.writeShort(c.constants + 1);
        c.poolBytes.writeTo(out);
        c.bodyBytes.writeTo(out);
        return bytes.toByteArray();
    }

    private void body(String name, String method, String source) throws IOException {
        int self = type(name);
        shorts(PUBLIC, self, type("java/lang/Object"), 1, type("java/lang/Runnable"), 0, 3);
        int init = reference("java/lang/Object", "<init>", "()V");
        method(PUBLIC, "<init>", ALOAD_0, INVOKESPECIAL, init >> 8, init, RETURN);
        int odd = reference(name, method, "()V");
        method(PUBLIC, "run", INVOKESTATIC, odd >> 8, odd, RETURN);
        int sleep = reference("java/lang/Thread", "sleep", "(J)V");
        method(PUBLIC | STATIC, method, LCONST_1, INVOKESTATIC, sleep >> 8, sleep, RETURN);
        shorts(1, utf8("SourceFile"), 0, 2, utf8(source));
    }

    /** A method without parameters that is one piece of code. */
    private void method(int access, String name, int... code) throws IOException {
        shorts(access, utf8(name), utf8("()V"), 1, utf8("Code"));
        body.writeInt(12 + code.length);
        shorts(2, 1); // stack and locals: enough for each
        body.writeInt(code.length);
        for (int b : code) {
            body.writeByte(b);
        }
        shorts(0, 0);
    }

    private void shorts(int... values) throws IOException {
        for (int v : values) {
            body.writeShort(v);
        }
    }

    /* Each adds a constant and gives its number. */

    private int utf8(String s) throws IOException {
        pool.writeByte(1);
        pool.writeUTF(s);
        return ++constants;
    }

    private int type(String name) throws IOException {
        return constant(7, utf8(name));
    }

    private int reference(String type, String name, String descriptor) throws IOException {
        return constant(10, type(type), constant(12, utf8(name), utf8(descriptor)));
    }

    private int constant(int tag, int... parts) throws IOException {
        pool.writeByte(tag);
        for (int part : parts) {
            pool.writeShort(part);
        }
        return ++constants;
    }
}
