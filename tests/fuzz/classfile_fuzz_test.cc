// Runs classfile_fuzz on classes of javac, on a class with difficult code, on each prefix of it,
// and on changes of each of its bytes.
#include <cstdint>
#include <set>
#include <string>

#include "agent/classfile/opcodes.h"
#include "agent/inventory/inventory_class.h"
#include "agent/track/hook_classes.h"
#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace {

// The first two bytes of an input: all hooks; the hooks that a constructor may have; those of a
// static method.
const std::string kModes[] = {Bytes({0xE8, 3}), Bytes({0xE8, 1}), Bytes({0x68, 0})};

void Feed(const std::string &class_file) {
  for (const std::string &mode : kModes) {
    std::string input = mode + class_file;
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(input.data()), input.size());
  }
}

// Makes a valid class with a constructor, a switch, a handler, several kinds of stack map frames
// and all tables that contain code offsets. Also a synchronized method that uses a monitor, and
// annotations.
std::string MakeValidClass() {
  ClassMaker maker;
  std::string super = U2(maker.Method("java/lang/Object", "<init>", "()V"));
  CodeBytes made;
  made.max_stack = made.max_locals = 2;
  made.code = U1(OPCODE_aload_0) + U1(OPCODE_invokespecial) + super + U1(OPCODE_return);
  maker.AddMethod(1, "<init>", "()V", made);
  CodeBytes run = made;
  run.code = Bytes({OPCODE_iconst_0, OPCODE_lookupswitch, 0, 0}) + U4(19) + U4(1) + U4(7) + U4(20) +
             Bytes({OPCODE_nop, OPCODE_return, OPCODE_athrow});
  run.handlers = {{0, 21, 22, 0}};
  run.attributes = {
      {"LineNumberTable", U2(1) + U2(0) + U2(7)},
      {"LocalVariableTable", U2(1) + U2(0) + U2(22) + U2(1) + U2(1) + U2(0)},
      {"RuntimeVisibleTypeAnnotations", U2(1) + U1(0x44) + U2(1) + U1(0) + U2(1) + U2(0)},
      {"StackMapTable", U2(3) + U1(20) + U1(252) + U2(0) + U1(1) + U1(255) + U2(0) + U2(0) + U2(1) +
                            Bytes({8, 0, 0})}};
  maker.AddMethod(9, "run", "(I)V", run);
  CodeBytes locked;
  locked.max_stack = locked.max_locals = 3;
  locked.code =
      Bytes({OPCODE_aload_0, OPCODE_dup, OPCODE_astore_1, OPCODE_monitorenter, OPCODE_aload_1,
             OPCODE_monitorexit, OPCODE_iconst_0, OPCODE_ireturn, OPCODE_astore_2, OPCODE_aload_1,
             OPCODE_monitorexit, OPCODE_aload_2, OPCODE_athrow});
  locked.handlers = {{4, 6, 8, 0}, {8, 11, 8, 0}};
  std::string one = U2(maker.Utf8("LOne;"));
  std::string annotations = U2(1) + one + U2(1) + one + "[" + U2(1) + "@" + one + U2(0);
  maker.AddMethod(0x20, "locked", "(J)Z", locked, {{"RuntimeVisibleAnnotations", annotations}});
  maker.AddAttribute("RuntimeVisibleAnnotations", annotations);
  return maker.Make();
}

TEST(ClassfileFuzz, AcceptsNoInput) {
  LLVMFuzzerTestOneInput(nullptr, 0);
  Feed("");
}

template <size_t kLen>
std::string MakeString(const unsigned char (&bytes)[kLen]) {
  return std::string(reinterpret_cast<const char *>(bytes), kLen);
}

TEST(ClassfileFuzz, AcceptsSeeds) {
  for (const std::string &class_file :
       {MakeValidClass(), MakeString(boot_bytes), MakeString(hook_bytes), MakeString(locks_bytes),
        MakeString(inventory_bytes)}) {
    Feed(class_file);
  }
}

TEST(ClassfileFuzz, AcceptsEveryPrefix) {
  std::string valid = MakeValidClass();
  for (size_t len = 0; len <= valid.size(); len++) Feed(valid.substr(0, len));
}

// Tries all values for every 31st byte. For the others it tries only values at which counts,
// indices and lengths change their meaning.
TEST(ClassfileFuzz, AcceptsChangedBytes) {
  const std::string valid = MakeValidClass();
  for (size_t at = 0; at < valid.size(); at++) {
    int byte = static_cast<unsigned char>(valid[at]);
    std::set<int> others = {0, 1, 127, 128, 254, 255, byte ^ 1, byte ^ 128, byte / 2};
    for (int other = 0; at % 31 == 0 && other < 256; other++) others.insert(other);
    for (int other : others) {
      std::string input = valid;
      input[at] = static_cast<char>(other);
      Feed(input);
    }
  }
}

}  // namespace
