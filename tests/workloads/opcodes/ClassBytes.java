package opcodes;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Writes a class file with static methods whose code no compiler writes. */
final class ClassBytes {
  private static final int PUBLIC_STATIC = 9;

  private final int version;
  private final List<String> constants = new ArrayList<>();
  private final ByteArrayOutputStream pool = new ByteArrayOutputStream();
  private final DataOutputStream entries = new DataOutputStream(pool);
  private final List<byte[]> methods = new ArrayList<>();
  private final int thisClass;
  private final int superClass;

  ClassBytes(int version, String name) throws IOException {
    this.version = version;
    thisClass = classNamed(name);
    superClass = classNamed("java/lang/Object");
  }

  boolean hasFrames() {
    return version >= 50;
  }

  int utf8(String text) throws IOException {
    int known = constants.indexOf("utf8 " + text);
    if (known >= 0) return known + 1;
    entries.writeByte(1);
    entries.writeUTF(text);
    return addConstant("utf8 " + text);
  }

  int classNamed(String name) throws IOException {
    return reference(7, "class ", name);
  }

  int string(String text) throws IOException {
    return reference(8, "string ", text);
  }

  private int reference(int tag, String kind, String text) throws IOException {
    int known = constants.indexOf(kind + text);
    if (known >= 0) return known + 1;
    int utf8 = utf8(text);
    entries.writeByte(tag);
    entries.writeShort(utf8);
    return addConstant(kind + text);
  }

  private int addConstant(String constant) {
    constants.add(constant);
    return constants.size();
  }

  void method(String name, String descriptor, int maxStack, int maxLocals, Code code)
      throws IOException {
    int frames = code.frames() == 0 ? 0 : utf8("StackMapTable");
    byte[] body = code.attribute(maxStack, maxLocals, frames);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeShort(PUBLIC_STATIC);
    out.writeShort(utf8(name));
    out.writeShort(utf8(descriptor));
    out.writeShort(1);
    out.writeShort(utf8("Code"));
    out.writeInt(body.length);
    out.write(body);
    methods.add(bytes.toByteArray());
  }

  byte[] toBytes() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(0xCAFEBABE);
    out.writeInt(version);
    out.writeShort(constants.size() + 1);
    pool.writeTo(out);
    out.writeShort(PUBLIC_STATIC & 1 | 0x20);
    out.writeShort(thisClass);
    out.writeShort(superClass);
    out.writeInt(0); // interfaces, fields
    out.writeShort(methods.size());
    for (byte[] method : methods) out.write(method);
    out.writeShort(0);
    return bytes.toByteArray();
  }
}
