#include "sampler/unwinder.h"

#include <memory>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/fake_hotspot.h"
#include "tests/support/fake_jvm.h"

namespace {

constexpr uintptr_t kStack = 0x7F0000001000;  // where the thread's stack pointer is
constexpr int32_t kInNative = 4, kInVm = 6, kInJava = 8;

// Two compiled methods, `inner` and `outer`, whose callers their return places tell; an interpreted
// one; a native one; and a stack that a test fills in.
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

  // Where the stack has this word; the stack grows as far.
  void Word(int index, uintptr_t word) {
    auto need = static_cast<uint32_t>(index + 1) * 8;
    memcpy(capture_->stack + index * 8, &word, 8);
    if (need > capture_->stack_len) capture_->stack_len = need;
  }
  static uintptr_t At(int index) { return kStack + static_cast<uintptr_t>(index) * 8; }

  // From word `index` on: the bottom of the stack, where the JVM called Java code for the first
  // time.
  void Entry(int fp) {
    constexpr int kWrapper = 40; /* words above fp */
    Word(fp - 6, At(fp + kWrapper));
    for (int i = 0; i < 3; i++) {
      Word(fp + kWrapper + static_cast<int>(FakeHotspot::kAnchor / 8) + i, 0);
    }
  }
  // A frame of the interpreter, whose frame pointer is at word `fp`.
  void Interpreted(int fp, uintptr_t bci, uintptr_t saved_fp, uintptr_t return_pc) {
    Word(fp, saved_fp);
    Word(fp + 1, return_pc);
    Word(fp - 1, At(fp + 2));
    Word(fp - 3, interpreted_method_);
    Word(fp - 8, bytecode_ + bci);
  }

  // "name@bci<caller@bci place".
  std::string Unwound(int max = 16) {
    std::vector<jvmtiFrameInfo> frames(static_cast<size_t>(max));
    out_ = {};
    out_.frames = frames.data();
    out_.max = max;
    unwind(&unwinder_, capture_.get(), &out_);
    std::string text;
    for (int i = 0; i < out_.num; i++) {
      text += (i == 0 ? "" : "<") + Name(frames[static_cast<size_t>(i)].method) + "@" +
              std::to_string(frames[static_cast<size_t>(i)].location);
    }
    return text + " " + cpu_place_names[out_.place] + (out_.is_cut ? " cut" : "");
  }
  std::string Name(jmethodID method) { return reinterpret_cast<FakeMethod *>(method)->name; }

  FakeJvm jvm_;
  FakeHotspot fake_;
  FakeClass *klass_;
  jmethodID inner_, outer_, interpreted_, native_;
  /* They live as long as the process, as in the agent. */
  static struct code_map *codes_;
  static struct method_ids *ids_;
  uintptr_t inner_code_, outer_code_, interpreted_method_, bytecode_;
  std::unique_ptr<struct capture> capture_;
  struct unwinder unwinder_ = {};
  struct unwound out_ = {};
};

struct code_map *Unwinder::codes_ = code_map_new();
struct method_ids *Unwinder::ids_ = method_ids_new();

TEST_F(Unwinder, CompiledCodeByTheSizesOfItsFrames) {
  capture_->pc = inner_code_ + 32;
  Word(3, outer_code_ + 64); /* inner's frame has 4 words */
  Word(8, At(20));           /* outer's 6 end with the frame pointer and the return address */
  Word(9, fake_.CallStubReturn());
  Entry(20);
  EXPECT_EQ(Unwound(), "inner@6<outer@6 Java");
}

TEST_F(Unwinder, BeforeTheFrameIsMade) {
  capture_->pc = inner_code_; /* the first instruction */
  Word(0, outer_code_ + 128);
  Word(5, At(20));
  Word(6, fake_.CallStubReturn());
  Entry(20);
  EXPECT_EQ(Unwound(), "inner@6<outer@12 Java");

  capture_->pc = inner_code_ + 8; /* the frame pointer is pushed */
  capture_->stack_len = 0;
  Word(0, 0);
  Word(1, outer_code_ + 128);
  Word(6, At(20));
  Word(7, fake_.CallStubReturn());
  Entry(20);
  EXPECT_EQ(Unwound(), "inner@6<outer@12 Java");
}

TEST_F(Unwinder, AfterTheFrameIsGone) {
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
    Word(c.at, outer_code_ + 64);
    Word(c.at + 5, At(20));
    Word(c.at + 6, fake_.CallStubReturn());
    Entry(20);
    EXPECT_EQ(Unwound(), "inner@12<outer@6 Java") << c.bytes[0];
  }
}

TEST_F(Unwinder, TheInterpreter) {
  capture_->pc = fake_.InterpreterLow() + 100;
  capture_->fp = At(10);
  capture_->bcp = bytecode_ + 33; /* newer than the one in the frame */
  Interpreted(10, 3, At(30), fake_.InterpreterLow() + 200);
  Interpreted(30, 17, At(60), fake_.CallStubReturn());
  Entry(60);
  EXPECT_EQ(Unwound(), "interpreted@33<interpreted@17 Java");
}

TEST_F(Unwinder, ABytecodePointerThatIsNoneIsNotUsed) {
  capture_->pc = fake_.InterpreterLow() + 100;
  capture_->fp = At(10);
  capture_->bcp = 12345;
  Interpreted(10, 3, At(60), fake_.CallStubReturn());
  Entry(60);
  EXPECT_EQ(Unwound(), "interpreted@3 Java");
  Word(2, bytecode_ + 5000);
  EXPECT_EQ(Unwound(), "interpreted@0 Java");
}

TEST_F(Unwinder, CompiledCodeThatTheInterpreterCalled) {
  capture_->pc = inner_code_ + 32;
  Word(2, At(20));
  Word(3, fake_.InterpreterLow() + 300);
  Interpreted(20, 9, At(60), fake_.CallStubReturn());
  Entry(60);
  EXPECT_EQ(Unwound(), "inner@6<interpreted@9 Java");
}

TEST_F(Unwinder, AMethodWithoutAJmethodIdEndsTheWalk) {
  uintptr_t code;
  interpreted_method_ = fake_.AddMethod(reinterpret_cast<jmethodID>(0x6666), 50, &code);
  capture_->pc = inner_code_ + 32;
  Word(2, At(20));
  Word(3, fake_.InterpreterLow() + 300);
  Interpreted(20, 9, At(60), fake_.CallStubReturn());
  EXPECT_EQ(Unwound(), "inner@6 Lost");
}

TEST_F(Unwinder, NativeCodeByTheAnchor) {
  uintptr_t wrapper = fake_.AddBlob("native nmethod", 64, 4);
  code_map_load(codes_, native_, wrapper, 64, nullptr);
  capture_->pc = 0x5555;
  capture_->state = kInNative;
  capture_->anchor_sp = At(10);
  capture_->anchor_pc = wrapper + 20;
  Word(13, outer_code_ + 64);
  Word(18, At(30));
  Word(19, fake_.CallStubReturn());
  Entry(30);
  EXPECT_EQ(Unwound(), "native@-1<outer@6 Native");
}

TEST_F(Unwinder, TheJvmItselfByTheAnchorOverItsStub) {
  uintptr_t stub = fake_.AddBlob("RuntimeStub", 64, 2);
  capture_->pc = 0x5555;
  capture_->state = kInVm;
  capture_->anchor_sp = At(10); /* the pc is not said: it stands below */
  Word(9, stub + 12);
  Word(11, inner_code_ + 64);
  Word(15, outer_code_ + 64);
  Word(20, At(30));
  Word(21, fake_.CallStubReturn());
  Entry(30);
  EXPECT_EQ(Unwound(), "inner@6<outer@6 Vm");
}

TEST_F(Unwinder, ACFunctionThatLeavesNoMark) {
  capture_->pc = 0x5555;
  fake_.SetCode(inner_code_ + 85, {0xE8, 0, 0, 0, 0}); /* a call that ends at +90 */
  Word(0, 77);
  Word(1, inner_code_ + 91); /* no call ends there: some other word */
  Word(5, inner_code_ + 90);
  Word(9, outer_code_ + 64);
  Word(14, At(30));
  Word(15, fake_.CallStubReturn());
  Entry(30);
  EXPECT_EQ(Unwound(), "inner@12<outer@6 Vm");
}

TEST_F(Unwinder, AThreadWithoutJavaCodeHasNoFrames) {
  capture_->pc = 0x5555;
  capture_->state = kInVm;
  Word(0, 1);
  EXPECT_EQ(Unwound(), " Vm");
  capture_->state = kInNative;
  EXPECT_EQ(Unwound(), " Native");
}

TEST_F(Unwinder, AStubWithoutAFrame) {
  uintptr_t stub = fake_.AddBlob("StubRoutines (1)", 200, 0);
  fake_.SetCode(inner_code_ + 85, {0xE8, 0, 0, 0, 0});
  capture_->pc = stub + 50;
  Word(0, inner_code_ + 90);
  Word(4, outer_code_ + 64);
  Word(9, At(30));
  Word(10, fake_.CallStubReturn());
  Entry(30);
  EXPECT_EQ(Unwound(), "inner@12<outer@6 Java");
}

TEST_F(Unwinder, AStubWhoseFrameThePointerTells) {
  uintptr_t stub = fake_.AddBlob("StubRoutines (1)", 200, 0);
  capture_->pc = stub + 50;
  capture_->fp = At(3);
  Word(0, 1);
  Word(3, At(30));
  Word(4, inner_code_ + 64);
  Word(8, outer_code_ + 64);
  Word(13, At(30));
  Word(14, fake_.CallStubReturn());
  Entry(30);
  EXPECT_EQ(Unwound(), "inner@6<outer@6 Java");
}

TEST_F(Unwinder, ADeoptimizedFrameKeepsItsReturnAddress) {
  capture_->pc = inner_code_ + 32;
  Word(3, outer_code_ + 200); /* the handler; no call returns there */
  Word(4 + 1, outer_code_ + 128);
  Word(8, At(30));
  Word(9, fake_.CallStubReturn());
  Entry(30);
  EXPECT_EQ(Unwound(), "inner@6<outer@12 Java");
}

TEST_F(Unwinder, TheFramesOfAVirtualThreadEndWhereItsCarrierRunsIt) {
  fake_.continuation_return = outer_code_ + 1;
  hotspot_refresh(&fake_.hotspot);
  capture_->pc = inner_code_ + 32;
  Word(3, outer_code_ + 1);
  EXPECT_EQ(Unwound(), "inner@6 Java");
  EXPECT_TRUE(out_.is_mounted);
}

TEST_F(Unwinder, JavaCodeThatNativeCodeCalled) {
  uintptr_t wrapper = fake_.AddBlob("native nmethod", 64, 4);
  code_map_load(codes_, native_, wrapper, 64, nullptr);
  capture_->pc = inner_code_ + 32;
  Word(2, At(20));
  Word(3, fake_.CallStubReturn());
  Word(20 - 6, At(40));
  Word(43, At(50)); /* the anchor: sp, pc, fp */
  Word(44, wrapper + 20);
  Word(45, 0);
  Word(53, outer_code_ + 64);
  Word(58, At(80));
  Word(59, fake_.CallStubReturn());
  Entry(80);
  EXPECT_EQ(Unwound(), "inner@6<native@-1<outer@6 Java");
}

TEST_F(Unwinder, MoreFramesThanThereIsRoomForAreCut) {
  capture_->pc = inner_code_ + 32;
  Word(3, outer_code_ + 64);
  Word(9, outer_code_ + 64);
  Word(15, outer_code_ + 64);
  Word(20, At(40));
  Word(21, fake_.CallStubReturn());
  Entry(40);
  EXPECT_EQ(Unwound(2), "inner@6<outer@6 Java cut");
  EXPECT_EQ(Unwound(4), "inner@6<outer@6<outer@6<outer@6 Java");
}

TEST_F(Unwinder, AStackThatEndsTooEarlyIsLostFromThere) {
  capture_->pc = inner_code_ + 32;
  Word(3, outer_code_ + 64);
  EXPECT_EQ(Unwound(), "inner@6<outer@6 Lost");
}

// Whatever the words are, the walk ends, inside of the capture.
TEST_F(Unwinder, AnyWordsEnd) {
  uint64_t random = 88172645463325252;
  const uintptr_t likely[] = {inner_code_ + 64,
                              outer_code_ + 128,
                              fake_.CallStubReturn(),
                              fake_.InterpreterLow(),
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
    for (int i = 0; i < 100; i++) Word(i, word());
    capture_->pc = word(), capture_->fp = word(), capture_->bcp = word();
    capture_->anchor_sp = word(), capture_->anchor_pc = word(), capture_->anchor_fp = word();
    capture_->state = static_cast<int32_t>(next() % 12);
    Unwound();
    EXPECT_LE(out_.num, 16);
  }
}

}  // namespace
