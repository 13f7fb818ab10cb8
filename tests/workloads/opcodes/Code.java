package opcodes;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Assembles the code of a method: instructions, labels and frames. */
final class Code {
  /** Kinds of stack map frames. Others are: 248 to 250 chop locals, 252 to 254 append locals. */
  static final int SAME = 0;
  static final int STACK = 64;
  private static final int STACK_EXTENDED = 247;
  private static final int SAME_EXTENDED = 251;

  private static final class Frame {
    final int at, kind;
    final int[] types;

    Frame(int at, int kind, int[] types) {
      this.at = at;
      this.kind = kind;
      this.types = types;
    }

    void write(DataOutputStream out, int delta) throws IOException {
      if (kind <= STACK && delta < 64) {
        out.writeByte(kind + delta);
      } else {
        out.writeByte(kind == SAME ? SAME_EXTENDED : kind == STACK ? STACK_EXTENDED : kind);
        out.writeShort(delta);
      }
      for (int type : types) out.writeByte(type);
    }
  }

  /** The position in the code of a jump's distance to its label. */
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

  private final byte[] code = new byte[65535];
  private int length;
  private final Map<String, Integer> labels = new HashMap<>();
  private final List<Jump> jumps = new ArrayList<>();
  private final List<Frame> frames = new ArrayList<>();
  private final boolean hasFrames;

  /** With frames, each label has a frame. */
  Code(boolean hasFrames) {
    this.hasFrames = hasFrames;
  }

  Code op(int... bytes) {
    for (int b : bytes) code[length++] = (byte) b;
    return this;
  }

  /** Adds an instruction with an operand of two bytes. */
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

  /** Adds a label where the locals are the same as in the last frame, and the operand stack is empty. */
  Code label(String name) {
    return label(name, SAME);
  }

  Code label(String name, int frameKind, int... types) {
    labels.put(name, length);
    if (hasFrames) frames.add(new Frame(length, frameKind, types));
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
    boolean fits = jump.bytes == 4 || distance == (short) distance;
    if (!fits) throw new Error(jump.label + " is too far");
    for (int i = 0; i < jump.bytes; i++) {
      code[jump.at + i] = (byte) (distance >> 8 * (jump.bytes - 1 - i));
    }
  }

  private byte[] table() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeShort(frames.size());
    int last = -1;
    for (Frame frame : frames) {
      frame.write(out, frame.at - last - 1);
      last = frame.at;
    }
    return bytes.toByteArray();
  }
}
