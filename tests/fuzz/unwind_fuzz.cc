// Any registers and any words on a stack: the unwinder must end, inside of the capture, with frames
// of known methods only. Each word of the input is a byte that chooses one of the addresses that
// matter and one that is added to it, or a byte of 0xFF and eight bytes as they are.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "sampler/unwinder.h"
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

// A code cache with two compiled methods, a native one, a stub and an interpreted method.
struct World {
  World() {
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
    fake.SetCode(code + 85, {0xE8, 0, 0, 0, 0}); /* call */
    fake.SetCode(code + 100, {0x5D, 0xC3});      /* pop rbp; ret */
    return code;
  }

  FakeHotspot fake;
  struct code_map *codes = code_map_new();
  struct method_ids *ids = method_ids_new();
  struct unwinder unwinder;
  uintptr_t compiled[2], native, stub, interpreted, bytecode = 0;
};

// Words off the input; 0 at its end.
class Input {
 public:
  Input(const World &world, const uint8_t *data, size_t size) : data_(data), left_(size) {
    const uintptr_t bases[] = {world.compiled[0],
                               world.compiled[1],
                               world.native,
                               world.stub,
                               world.bytecode,
                               world.interpreted,
                               kStack,
                               kStack + 256,
                               kStack + 2048,
                               const_cast<World &>(world).fake.GetInterpreterLow(),
                               world.fake.GetCallStubReturn(),
                               0};
    memcpy(bases_, bases, sizeof bases);
  }

  bool HasMore() const { return left_ > 0; }
  uintptr_t Word() {
    uint8_t choice = Byte();
    if (choice == 0xFF) {
      uintptr_t word = 0;
      for (int i = 0; i < 8; i++) word = word << 8 | Byte();
      return word;
    }
    return bases_[choice % 12] + Byte() * (choice >= 128 ? 8u : 1u);
  }
  uint8_t Byte() {
    if (left_ == 0) return 0;
    left_--;
    return *data_++;
  }

 private:
  const uint8_t *data_;
  size_t left_;
  uintptr_t bases_[12];
};

void Require(bool good, const char *what) {
  if (good) return;
  fprintf(stderr, "%s\n", what);
  abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static World &world = *new World;
  static struct capture &c = *new struct capture;
  Input in(world, data, size);
  c.sp = kStack + in.Byte() % 16;
  c.state = in.Byte() % 12;
  c.pc = in.Word(), c.fp = in.Word(), c.bcp = in.Word();
  c.anchor_sp = in.Word(), c.anchor_pc = in.Word(), c.anchor_fp = in.Word();
  c.stack_len = 0;
  for (; in.HasMore() && c.stack_len + 8 <= sizeof c.stack; c.stack_len += 8) {
    uintptr_t word = in.Word();
    memcpy(c.stack + c.stack_len, &word, 8);
  }
  jvmtiFrameInfo frames[kMaxFrames];
  struct unwound out = {};
  out.frames = frames;
  out.max = kMaxFrames;
  unwind(&world.unwinder, &c, &out);
  Require(out.num >= 0 && out.num <= kMaxFrames, "too many frames");
  for (int i = 0; i < out.num; i++) {
    bool known = frames[i].method == kMethods[0] || frames[i].method == kMethods[1] ||
                 frames[i].method == kMethods[2];
    Require(known, "a frame of a method that is none");
    Require(frames[i].location >= -1 && frames[i].location < 50, "a place outside of the method");
  }
  return 0;
}
