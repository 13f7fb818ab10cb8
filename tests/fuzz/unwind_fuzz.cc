// Unwinds arbitrary registers and stack words, as those of x86-64 or of arm64. The unwinder must
// end, stay inside of the capture, and return only frames of known methods. The first byte selects
// the CPU. The input encodes each word in one of two ways:
// - a byte that selects a base address, and a byte that is added to it;
// - a byte 0xFF, and the eight bytes of the word.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "sampler/unwinder.h"
#include "sampler/walk.h"
#include "tests/support/fake_hotspot.h"

namespace {

constexpr uintptr_t kStack = 0x7F0000001000;
constexpr int kMaxFrames = 32;

jmethodID Method(uintptr_t n) { return reinterpret_cast<jmethodID>(n); }
const jmethodID kMethods[] = {Method(0x100), Method(0x200), Method(0x300)};

jvmtiError JNICALL GetClassMethods(jvmtiEnv *, jclass, jint *n, jmethodID **out) {
  *n = 3;
  *out = const_cast<jmethodID *>(kMethods);
  return JVMTI_ERROR_NONE;
}
jvmtiError JNICALL Deallocate(jvmtiEnv *, unsigned char *) { return JVMTI_ERROR_NONE; }

// A code cache with two compiled methods, a native method, a stub and an interpreted method.
struct CodeCache {
  CodeCache() {
    jvmtiInterface_1 functions = {};
    functions.GetClassMethods = GetClassMethods;
    functions.Deallocate = Deallocate;
    jvmtiEnv ti = {&functions};
    method_ids_add_class(ids, &ti, nullptr);
    compiled[0] = AddCompiled(kMethods[0], 4);
    compiled[1] = AddCompiled(kMethods[1], 6);
    native = fake.AddBlob("native nmethod", 64, 4);
    code_map_load(codes, kMethods[2], native, 64, nullptr);
    stub = fake.AddBlob("RuntimeStub", 64, 2);
    interpreted = fake.AddMethod(kMethods[2], 50, &bytecode);
    fake.continuation_return = compiled[1] + 1;
    hotspot_refresh(&fake.hotspot);
    unwinder = {};
    unwinder.hotspot = &fake.hotspot;
    unwinder.codes = codes;
    unwinder.ids = ids;
  }

  uintptr_t AddCompiled(jmethodID method, int32_t frame_words) {
    uintptr_t code = fake.AddCompiled(codes, method, frame_words);
    fake.SetCode(code + 85, {0xE8, 0, 0, 0, 0});        /* call */
    fake.SetCode(code + 100, {0x5D, 0xC3});             /* pop rbp; ret */
    fake.SetCode(code + 8, {0xFD, 0x7B, 0xBF, 0xA9});   /* stp x29, x30, [sp, #-16]! */
    fake.SetCode(code + 92, {0, 0, 0, 0x94});           /* bl */
    fake.SetCode(code + 104, {0xFD, 0x7B, 0xC1, 0xA8}); /* ldp x29, x30, [sp], #16 */
    fake.SetCode(code + 108, {0xC0, 0x03, 0x5F, 0xD6}); /* ret */
    return code;
  }

  FakeHotspot fake;
  struct code_map *codes = code_map_new();
  struct method_ids *ids = method_ids_new();
  struct unwinder unwinder;
  uintptr_t compiled[2], native, stub, interpreted, bytecode = 0;
};

// Reads bytes and words from the input; 0 after its end.
class Input {
 public:
  Input(const CodeCache &code_cache, const uint8_t *data, size_t size) : data_(data), left_(size) {
    const uintptr_t bases[] = {code_cache.compiled[0],
                               code_cache.compiled[1],
                               code_cache.native,
                               code_cache.stub,
                               code_cache.bytecode,
                               code_cache.interpreted,
                               kStack,
                               kStack + 256,
                               kStack + 2048,
                               const_cast<CodeCache &>(code_cache).fake.GetInterpreterLow(),
                               code_cache.fake.GetCallStubReturn(),
                               0};
    memcpy(bases_, bases, sizeof bases);
  }

  bool HasMore() const { return left_ > 0; }
  uintptr_t ReadWord() {
    uint8_t choice = ReadByte();
    if (choice == 0xFF) {
      uintptr_t word = 0;
      for (int i = 0; i < 8; i++) word = word << 8 | ReadByte();
      return word;
    }
    return bases_[choice % 12] + ReadByte() * (choice >= 128 ? 8u : 1u);
  }
  uint8_t ReadByte() {
    if (left_ == 0) return 0;
    left_--;
    return *data_++;
  }

 private:
  const uint8_t *data_;
  size_t left_;
  uintptr_t bases_[12];
};

void Require(bool condition, const char *failure) {
  if (condition) return;
  fprintf(stderr, "%s\n", failure);
  abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static CodeCache &code_cache = *new CodeCache;
  static struct capture &c = *new struct capture;
  Input in(code_cache, data, size);
  uint8_t first = in.ReadByte();
  code_cache.unwinder.cpu = first < 128 ? &walk_x86 : &walk_arm64;
  c.sp = kStack + first % 16;
  c.state = in.ReadByte() % 12;
  c.pc = in.ReadWord(), c.fp = in.ReadWord(), c.bcp = in.ReadWord(), c.lr = in.ReadWord();
  c.anchor_sp = in.ReadWord(), c.anchor_pc = in.ReadWord(), c.anchor_fp = in.ReadWord();
  c.stack_len = 0;
  for (; in.HasMore() && c.stack_len + 8 <= sizeof c.stack; c.stack_len += 8) {
    uintptr_t word = in.ReadWord();
    memcpy(c.stack + c.stack_len, &word, 8);
  }
  jvmtiFrameInfo frames[kMaxFrames];
  struct unwound out = {};
  out.frames = frames;
  out.max = kMaxFrames;
  unwind(&code_cache.unwinder, &c, &out);
  Require(out.num >= 0 && out.num <= kMaxFrames, "too many frames");
  for (int i = 0; i < out.num; i++) {
    bool is_known = frames[i].method == kMethods[0] || frames[i].method == kMethods[1] ||
                    frames[i].method == kMethods[2];
    Require(is_known, "a frame has an unknown method");
    Require(frames[i].location >= -1 && frames[i].location < 50,
            "a location is outside of the method");
  }
  return 0;
}
