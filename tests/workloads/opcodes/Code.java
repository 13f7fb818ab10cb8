package opcodes;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Instructions one after the other, with labels to jump to. */
final class Code {
  private static final int SAME_FRAME_EXTENDED = 251;

  /** A place where the distance to a label goes. */
  private static final class Jump {
    final int from, at, bytes;
    final String label;

    Jump(int from, int at, int bytes, String label) {
      this.from = from;
      this.at = at;
      this.bytes = bytes;
      this.label = label;
    }
  }

  private byte[] code = new byte[65535];
  private int length;
  private final Map<String, Integer> labels = new HashMap<>();
  private final List<Jump> jumps = new ArrayList<>();
  private final List<Integer> frames = new ArrayList<>();
  private final boolean hasFrames;

  /** With frames, each label has one: the locals of the method's entry, an empty stack. */
  Code(boolean hasFrames) {
    this.hasFrames = hasFrames;
  }

  Code op(int... bytes) {
    for (int b : bytes) code[length++] = (byte) b;
    return this;
  }

  /** An instruction with an operand of two bytes. */
  Code op2(int opcode, int operand) {
    return op(opcode, operand >> 8, operand);
  }

  Code jump(int opcode, String label) {
    jumps.add(new Jump(length, length + 1, 2, label));
    return op(opcode, 0, 0);
  }

  Code jumpWide(int opcode, String label) {
    jumps.add(new Jump(length, length + 1, 4, label));
    return op(opcode, 0, 0, 0, 0);
  }

  Code label(String name) {
    labels.put(name, length);
    if (hasFrames) frames.add(length);
    return this;
  }

  int frames() {
    return frames.size();
  }

  byte[] attribute(int maxStack, int maxLocals, int stackMapTable) throws IOException {
    for (Jump jump : jumps) resolve(jump);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeShort(maxStack);
    out.writeShort(maxLocals);
    out.writeInt(length);
    out.write(code, 0, length);
    out.writeShort(0); // handlers
    out.writeShort(stackMapTable == 0 ? 0 : 1);
    if (stackMapTable != 0) {
      byte[] table = table();
      out.writeShort(stackMapTable);
      out.writeInt(table.length);
      out.write(table);
    }
    return bytes.toByteArray();
  }

  private void resolve(Jump jump) {
    int distance = labels.get(jump.label) - jump.from;
    if (jump.bytes == 2 && distance != (short) distance) throw new Error(jump.label + " is too far");
    for (int i = 0; i < jump.bytes; i++) {
      code[jump.at + i] = (byte) (distance >> 8 * (jump.bytes - 1 - i));
    }
  }

  private byte[] table() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeShort(frames.size());
    int last = -1;
    for (int frame : frames) {
      int delta = frame - last - 1;
      if (delta < 64) {
        out.writeByte(delta);
      } else {
        out.writeByte(SAME_FRAME_EXTENDED);
        out.writeShort(delta);
      }
      last = frame;
    }
    return bytes.toByteArray();
  }
}
