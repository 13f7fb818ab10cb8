#include "sampler/unwinder.h"

#include <memory>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/fake_hotspot.h"
#include "tests/support/fake_jvm.h"

namespace {

constexpr uintptr_t kStack = 0x7F0000001000;  // the stack pointer of the thread
constexpr int32_t kInNative = 4, kInVm = 6, kInJava = 8;

// Has two compiled methods, `inner` and `outer`, an interpreted one and a native one. Each test
// fills in the stack.
class Unwinder : public testing::Test {
 protected:
  Unwinder() {
    klass_ = jvm_.AddClass("LA;");
    inner_ = AddMethod("inner");
    outer_ = AddMethod("outer");
    interpreted_ = AddMethod("interpreted");
    native_ = AddMethod("native");
    method_ids_add_class(ids_, jvm_.Ti(), klass_->Ref());
    inner_code_ = fake_.AddCompiled(codes_, inner_, 4);
    outer_code_ = fake_.AddCompiled(codes_, outer_, 6);
    interpreted_method_ = fake_.AddMethod(interpreted_, 50, &bytecode_);
    capture_ = std::make_unique<struct capture>();
    capture_->sp = kStack;
    capture_->state = kInJava;
    unwinder_.hotspot = &fake_.hotspot;
    unwinder_.codes = codes_;
    unwinder_.ids = ids_;
  }
  ~Unwinder() override { code_map_clear(codes_); }

  jmethodID AddMethod(const char *name) { return jvm_.AddMethod(klass_, name, "()V")->Id(); }

  // Stores a word on the stack, which grows to contain it. Index 0 is at the stack pointer.
  void PutWord(int index, uintptr_t word) {
    auto need = static_cast<uint32_t>(index + 1) * 8;
    memcpy(capture_->stack + index * 8, &word, 8);
    if (need > capture_->stack_len) capture_->stack_len = need;
  }
  static uintptr_t GetAddress(int index) { return kStack + static_cast<uintptr_t>(index) * 8; }

  // Stores the outermost frame of the stack: call_stub with its frame pointer at word `fp`. Its
  // call wrapper has an empty anchor.
  void PutEntry(int fp) {
    constexpr int kWrapper = 40; /* words above fp */
    PutWord(fp - 6, GetAddress(fp + kWrapper));
    for (int i = 0; i < 3; i++) {
      PutWord(fp + kWrapper + static_cast<int>(FakeHotspot::kAnchor / 8) + i, 0);
    }
  }
  // Stores a frame of the interpreter with its frame pointer at word `fp`.
  void PutInterpreted(int fp, uintptr_t bci, uintptr_t saved_fp, uintptr_t return_pc) {
    PutWord(fp, saved_fp);
    PutWord(fp + 1, return_pc);
    PutWord(fp - 1, GetAddress(fp + 2));
    PutWord(fp - 3, interpreted_method_);
    PutWord(fp - 8, bytecode_ + bci);
  }

  // Returns "name@bci<caller@bci place".
  std::string Unwind(int max = 16) {
    std::vector<jvmtiFrameInfo> frames(static_cast<size_t>(max));
    out_ = {};
    out_.frames = frames.data();
    out_.max = max;
    unwind(&unwinder_, capture_.get(), &out_);
    std::string text;
    for (int i = 0; i < out_.num; i++) {
      text += (i == 0 ? "" : "<") + GetName(frames[static_cast<size_t>(i)].method) + "@" +
              std::to_string(frames[static_cast<size_t>(i)].location);
    }
    return text + " " + cpu_place_names[out_.place] + (out_.is_cut ? " cut" : "");
  }
  std::string GetName(jmethodID method) { return reinterpret_cast<FakeMethod *>(method)->name; }

  FakeJvm jvm_;
  FakeHotspot fake_;
  FakeClass *klass_;
  jmethodID inner_, outer_, interpreted_, native_;
  /* Never freed, like in the agent. */
  static struct code_map *codes_;
  static struct method_ids *ids_;
  uintptr_t inner_code_, outer_code_, interpreted_method_, bytecode_;
  std::unique_ptr<struct capture> capture_;
  struct unwinder unwinder_ = {};
  struct unwound out_ = {};
};

struct code_map *Unwinder::codes_ = code_map_new();
struct method_ids *Unwinder::ids_ = method_ids_new();

TEST_F(Unwinder, UnwindsCompiledCodeByItsFrameSizes) {
  capture_->pc = inner_code_ + 32;
  PutWord(3, outer_code_ + 64);          /* inner's frame has 4 words */
  PutWord(8, GetAddress(20));            /* outer's frame has 6: here its frame pointer, */
  PutWord(9, fake_.GetCallStubReturn()); /* and here its return address */
  PutEntry(20);
  EXPECT_EQ(Unwind(), "inner@6<outer@6 Java");
}

TEST_F(Unwinder, UnwindsFromAPrologue) {
  capture_->pc = inner_code_; /* the first instruction */
  PutWord(0, outer_code_ + 128);
  PutWord(5, GetAddress(20));
  PutWord(6, fake_.GetCallStubReturn());
  PutEntry(20);
  EXPECT_EQ(Unwind(), "inner@6<outer@12 Java");

  capture_->pc = inner_code_ + 8; /* after the frame pointer is pushed */
  capture_->stack_len = 0;
  PutWord(0, 0);
  PutWord(1, outer_code_ + 128);
  PutWord(6, GetAddress(20));
  PutWord(7, fake_.GetCallStubReturn());
  PutEntry(20);
  EXPECT_EQ(Unwind(), "inner@6<outer@12 Java");
}

TEST_F(Unwinder, UnwindsFromAnEpilogue) {
  const struct {
    std::vector<uint8_t> bytes;
    int at; /* the word with the return address */
  } cases[] = {{{0xC3}, 0},
               {{0x5D, 0xC3}, 1},
               {{0x49, 0x3B, 0xA7, 0, 0, 0, 0}, 0},
               {{0x0F, 0x87, 0, 0, 0, 0, 0xC3}, 0}};
  for (auto &c : cases) {
    fake_.SetCode(inner_code_ + 100, c.bytes);
    capture_->pc = inner_code_ + 100;
    memset(capture_->stack, 0, 1000);
    PutWord(c.at, outer_code_ + 64);
    PutWord(c.at + 5, GetAddress(20));
    PutWord(c.at + 6, fake_.GetCallStubReturn());
    PutEntry(20);
    EXPECT_EQ(Unwind(), "inner@12<outer@6 Java") << c.bytes[0];
  }
}

TEST_F(Unwinder, UnwindsInterpretedFrames) {
  capture_->pc = fake_.GetInterpreterLow() + 100;
  capture_->fp = GetAddress(10);
  capture_->bcp = bytecode_ + 33; /* newer than the value in the frame */
  PutInterpreted(10, 3, GetAddress(30), fake_.GetInterpreterLow() + 200);
  PutInterpreted(30, 17, GetAddress(60), fake_.GetCallStubReturn());
  PutEntry(60);
  EXPECT_EQ(Unwind(), "interpreted@33<interpreted@17 Java");
}

TEST_F(Unwinder, IgnoresAnInvalidBytecodePointer) {
  capture_->pc = fake_.GetInterpreterLow() + 100;
  capture_->fp = GetAddress(10);
  capture_->bcp = 12345;
  PutInterpreted(10, 3, GetAddress(60), fake_.GetCallStubReturn());
  PutEntry(60);
  EXPECT_EQ(Unwind(), "interpreted@3 Java");
  PutWord(2, bytecode_ + 5000);
  EXPECT_EQ(Unwind(), "interpreted@0 Java");
}

TEST_F(Unwinder, UnwindsFromCompiledToInterpretedFrames) {
  capture_->pc = inner_code_ + 32;
  PutWord(2, GetAddress(20));
  PutWord(3, fake_.GetInterpreterLow() + 300);
  PutInterpreted(20, 9, GetAddress(60), fake_.GetCallStubReturn());
  PutEntry(60);
  EXPECT_EQ(Unwind(), "inner@6<interpreted@9 Java");
}

TEST_F(Unwinder, StopsAtAMethodWithoutAKnownJmethodId) {
  uintptr_t code;
  interpreted_method_ = fake_.AddMethod(reinterpret_cast<jmethodID>(0x6666), 50, &code);
  capture_->pc = inner_code_ + 32;
  PutWord(2, GetAddress(20));
  PutWord(3, fake_.GetInterpreterLow() + 300);
  PutInterpreted(20, 9, GetAddress(60), fake_.GetCallStubReturn());
  EXPECT_EQ(Unwind(), "inner@6 Lost");
}

TEST_F(Unwinder, UnwindsFromNativeCodeByTheAnchor) {
  uintptr_t wrapper = fake_.AddBlob("native nmethod", 64, 4);
  code_map_load(codes_, native_, wrapper, 64, nullptr);
  capture_->pc = 0x5555;
  capture_->state = kInNative;
  capture_->anchor_sp = GetAddress(10);
  capture_->anchor_pc = wrapper + 20;
  PutWord(13, outer_code_ + 64);
  PutWord(18, GetAddress(30));
  PutWord(19, fake_.GetCallStubReturn());
  PutEntry(30);
  EXPECT_EQ(Unwind(), "native@-1<outer@6 Native");
}

TEST_F(Unwinder, UnwindsFromTheJvmByTheAnchorAndItsStub) {
  uintptr_t stub = fake_.AddBlob("RuntimeStub", 64, 2);
  capture_->pc = 0x5555;
  capture_->state = kInVm;
  /* anchor_pc is 0: the return address is one word below anchor_sp. */
  capture_->anchor_sp = GetAddress(10);
  PutWord(9, stub + 12);
  PutWord(11, inner_code_ + 64);
  PutWord(15, outer_code_ + 64);
  PutWord(20, GetAddress(30));
  PutWord(21, fake_.GetCallStubReturn());
  PutEntry(30);
  EXPECT_EQ(Unwind(), "inner@6<outer@6 Vm");
}

TEST_F(Unwinder, UnwindsFromACFunctionWithoutAnAnchor) {
  capture_->pc = 0x5555;
  fake_.SetCode(inner_code_ + 85, {0xE8, 0, 0, 0, 0}); /* a call that ends at +90 */
  PutWord(0, 77);
  PutWord(1, inner_code_ + 91); /* not a return address: no call ends there */
  PutWord(5, inner_code_ + 90);
  PutWord(9, outer_code_ + 64);
  PutWord(14, GetAddress(30));
  PutWord(15, fake_.GetCallStubReturn());
  PutEntry(30);
  EXPECT_EQ(Unwind(), "inner@12<outer@6 Vm");
}

TEST_F(Unwinder, FindsNoFramesOnAThreadWithoutJavaCode) {
  capture_->pc = 0x5555;
  capture_->state = kInVm;
  PutWord(0, 1);
  EXPECT_EQ(Unwind(), " Vm");
  capture_->state = kInNative;
  EXPECT_EQ(Unwind(), " Native");
}

TEST_F(Unwinder, UnwindsFromAStubWithoutAFrame) {
  uintptr_t stub = fake_.AddBlob("StubRoutines (1)", 200, 0);
  fake_.SetCode(inner_code_ + 85, {0xE8, 0, 0, 0, 0});
  capture_->pc = stub + 50;
  PutWord(0, inner_code_ + 90);
  PutWord(4, outer_code_ + 64);
  PutWord(9, GetAddress(30));
  PutWord(10, fake_.GetCallStubReturn());
  PutEntry(30);
  EXPECT_EQ(Unwind(), "inner@12<outer@6 Java");
}

TEST_F(Unwinder, UnwindsFromAStubByItsFramePointer) {
  uintptr_t stub = fake_.AddBlob("StubRoutines (1)", 200, 0);
  capture_->pc = stub + 50;
  capture_->fp = GetAddress(3);
  PutWord(0, 1);
  PutWord(3, GetAddress(30));
  PutWord(4, inner_code_ + 64);
  PutWord(8, outer_code_ + 64);
  PutWord(13, GetAddress(30));
  PutWord(14, fake_.GetCallStubReturn());
  PutEntry(30);
  EXPECT_EQ(Unwind(), "inner@6<outer@6 Java");
}

TEST_F(Unwinder, FindsTheReturnAddressOfADeoptimizedFrame) {
  capture_->pc = inner_code_ + 32;
  PutWord(3, outer_code_ + 200); /* the deoptimization handler: no call returns there */
  PutWord(4 + 1, outer_code_ + 128);
  PutWord(8, GetAddress(30));
  PutWord(9, fake_.GetCallStubReturn());
  PutEntry(30);
  EXPECT_EQ(Unwind(), "inner@6<outer@12 Java");
}

TEST_F(Unwinder, StopsAtTheOutermostFrameOfAVirtualThread) {
  fake_.continuation_return = outer_code_ + 1;
  hotspot_refresh(&fake_.hotspot);
  capture_->pc = inner_code_ + 32;
  PutWord(3, outer_code_ + 1);
  EXPECT_EQ(Unwind(), "inner@6 Java");
  EXPECT_TRUE(out_.is_mounted);
}

TEST_F(Unwinder, UnwindsThroughNativeCodeThatCallsJava) {
  uintptr_t wrapper = fake_.AddBlob("native nmethod", 64, 4);
  code_map_load(codes_, native_, wrapper, 64, nullptr);
  capture_->pc = inner_code_ + 32;
  PutWord(2, GetAddress(20));
  PutWord(3, fake_.GetCallStubReturn());
  PutWord(20 - 6, GetAddress(40));
  PutWord(43, GetAddress(50)); /* the anchor in the call wrapper: sp, pc, fp */
  PutWord(44, wrapper + 20);
  PutWord(45, 0);
  PutWord(53, outer_code_ + 64);
  PutWord(58, GetAddress(80));
  PutWord(59, fake_.GetCallStubReturn());
  PutEntry(80);
  EXPECT_EQ(Unwind(), "inner@6<native@-1<outer@6 Java");
}

TEST_F(Unwinder, CutsFramesAboveTheMaximum) {
  capture_->pc = inner_code_ + 32;
  PutWord(3, outer_code_ + 64);
  PutWord(9, outer_code_ + 64);
  PutWord(15, outer_code_ + 64);
  PutWord(20, GetAddress(40));
  PutWord(21, fake_.GetCallStubReturn());
  PutEntry(40);
  EXPECT_EQ(Unwind(2), "inner@6<outer@6 Java cut");
  EXPECT_EQ(Unwind(4), "inner@6<outer@6<outer@6<outer@6 Java");
}

TEST_F(Unwinder, MarksATruncatedStackAsLost) {
  capture_->pc = inner_code_ + 32;
  PutWord(3, outer_code_ + 64);
  EXPECT_EQ(Unwind(), "inner@6<outer@6 Lost");
}

// The walk ends and stays inside of the capture, whatever the words of the stack are.
TEST_F(Unwinder, EndsOnRandomWords) {
  uint64_t random = 88172645463325252;
  const uintptr_t likely[] = {inner_code_ + 64,
                              outer_code_ + 128,
                              fake_.GetCallStubReturn(),
                              fake_.GetInterpreterLow(),
                              interpreted_method_,
                              kStack,
                              kStack + 64,
                              kStack + 800,
                              0,
                              UINTPTR_MAX};
  for (int round = 0; round < 3000; round++) {
    auto next = [&] {
      random ^= random << 13, random ^= random >> 7, random ^= random << 17;
      return random;
    };
    auto word = [&] { return next() % 4 == 0 ? next() : likely[next() % 10]; };
    capture_->stack_len = 0;
    for (int i = 0; i < 100; i++) PutWord(i, word());
    capture_->pc = word(), capture_->fp = word(), capture_->bcp = word();
    capture_->anchor_sp = word(), capture_->anchor_pc = word(), capture_->anchor_fp = word();
    capture_->state = static_cast<int32_t>(next() % 12);
    Unwind();
    EXPECT_LE(out_.num, 16);
  }
}

}  // namespace
