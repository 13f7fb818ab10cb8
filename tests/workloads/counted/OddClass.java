package counted;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * Makes the bytes of a class file with any names:
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
    private static final int JAVA_5 = 49; // this version needs no stack maps and allows almost any name
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
        c.writeBody(name, method, source);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(0xCAFEBABE);
        out.writeInt(JAVA_5);
        out.writeShort(c.constants + 1);
        c.poolBytes.writeTo(out);
        c.bodyBytes.writeTo(out);
        return bytes.toByteArray();
    }

    private void writeBody(String name, String method, String source) throws IOException {
        int self = addType(name);
        writeShorts(PUBLIC, self, addType("java/lang/Object"), 1, addType("java/lang/Runnable"), 0, 3);
        int init = addReference("java/lang/Object", "<init>", "()V");
        writeMethod(PUBLIC, "<init>", ALOAD_0, INVOKESPECIAL, init >> 8, init, RETURN);
        int odd = addReference(name, method, "()V");
        writeMethod(PUBLIC, "run", INVOKESTATIC, odd >> 8, odd, RETURN);
        int sleep = addReference("java/lang/Thread", "sleep", "(J)V");
        writeMethod(PUBLIC | STATIC, method, LCONST_1, INVOKESTATIC, sleep >> 8, sleep, RETURN);
        writeShorts(1, addUtf8("SourceFile"), 0, 2, addUtf8(source));
    }

    /** Writes a method without parameters. */
    private void writeMethod(int access, String name, int... code) throws IOException {
        writeShorts(access, addUtf8(name), addUtf8("()V"), 1, addUtf8("Code"));
        body.writeInt(12 + code.length);
        writeShorts(2, 1); // stack slots and locals, enough for each method
        body.writeInt(code.length);
        for (int b : code) {
            body.writeByte(b);
        }
        writeShorts(0, 0);
    }

    private void writeShorts(int... values) throws IOException {
        for (int v : values) {
            body.writeShort(v);
        }
    }

    /* Each of these methods adds a constant and returns its index. */

    private int addUtf8(String s) throws IOException {
        pool.writeByte(1);
        pool.writeUTF(s);
        return ++constants;
    }

    private int addType(String name) throws IOException {
        return addConstant(7, addUtf8(name));
    }

    private int addReference(String type, String name, String descriptor) throws IOException {
        return addConstant(10, addType(type), addConstant(12, addUtf8(name), addUtf8(descriptor)));
    }

    private int addConstant(int tag, int... parts) throws IOException {
        pool.writeByte(tag);
        for (int part : parts) {
            pool.writeShort(part);
        }
        return ++constants;
    }
}
