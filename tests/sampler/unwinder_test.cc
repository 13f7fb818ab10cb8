#include "sampler/unwinder.h"

#include "agent/base/hook_mark.h"
#include "tests/support/unwinding.h"

namespace {

// What is the same on all CPUs: complete frames.
class Unwinder : public Unwinding {
 protected:
  Unwinder() : Unwinding(WALK_CPU) {}
};

TEST_F(Unwinder, UnwindsCompiledCodeByItsFrameSizes) {
  capture_->pc = inner_code_ + 32;
  PutWord(3, outer_code_ + 64);          /* inner's frame has 4 words */
  PutWord(8, GetAddress(20));            /* outer's frame has 6: here its frame pointer, */
  PutWord(9, fake_.GetCallStubReturn()); /* and here its return address */
  PutEntry(20);
  EXPECT_EQ(Unwind(), "inner@6<outer@6 Java");
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
  PutWord(10 + FRAME_BCP, bytecode_ + 5000);
  EXPECT_EQ(Unwind(), "interpreted@0 Java");
}

/* Before JDK 9 a frame has no word for the mirror, so the bytecode pointer is one word higher. */
TEST_F(Unwinder, FindsTheBytecodePointerOfOldFrames) {
  fake_.hotspot.bcp = FakeHotspot(FakeHotspot::kOneHeap).hotspot.bcp;
  capture_->pc = fake_.GetInterpreterLow() + 100;
  capture_->fp = GetAddress(10);
  PutInterpreted(10, 3, GetAddress(30), fake_.GetInterpreterLow() + 200);
  PutInterpreted(30, 17, GetAddress(60), fake_.GetCallStubReturn());
  for (int fp : {10, 30})
    PutWord(fp + FRAME_BCP_WITHOUT_MIRROR, bytecode_ + static_cast<uintptr_t>(fp) / 2);
  PutEntry(60);
  EXPECT_EQ(Unwind(), "interpreted@5<interpreted@15 Java");
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

// A hook that no Java frame of Orca's shows: that of a native method, or a callback of JVMTI.
TEST_F(Unwinder, FindsTheMarkOfAHookAboveTheNewestJavaFrame) {
  for (int i = 0; i < 20; i++) PutWord(i, 0);
  capture_->anchor_sp = GetAddress(10);
  EXPECT_FALSE(capture_has_mark(capture_.get()));
  PutWord(5, HOOK_MARK);
  PutWord(6, GetAddress(4));
  EXPECT_FALSE(capture_has_mark(capture_.get())) << "a copy of a mark";
  PutWord(6, GetAddress(5));
  EXPECT_TRUE(capture_has_mark(capture_.get()));
  capture_->anchor_sp = GetAddress(6);
  EXPECT_FALSE(capture_has_mark(capture_.get())) << "the frame of a caller";
  capture_->anchor_sp = 0;
  EXPECT_FALSE(capture_has_mark(capture_.get())) << "the thread runs Java code";
}

TEST_F(Unwinder, AMarkThatWasClearedIsNone) {
  struct hook_mark mark;
  hook_mark_set(&mark);
  EXPECT_EQ(mark.magic, HOOK_MARK);
  EXPECT_EQ(mark.self, reinterpret_cast<uintptr_t>(&mark));
  hook_mark_clear(&mark);
  EXPECT_NE(mark.magic, HOOK_MARK);
}

TEST_F(Unwinder, FindsNoFramesOnAThreadWithoutJavaCode) {
  capture_->pc = 0x5555;
  capture_->state = kInVm;
  PutWord(0, 1);
  EXPECT_EQ(Unwind(), " Vm");
  capture_->state = kInNative;
  EXPECT_EQ(Unwind(), " Native");
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

// Its frames lie directly on those of its carrier if all of them are on the stack.
TEST_F(Unwinder, StopsWhereACarrierRunsAVirtualThread) {
  unwinder_.continuation_entry = outer_;
  capture_->pc = inner_code_ + 32;
  PutWord(3, outer_code_ + 64);
  PutWord(8, GetAddress(20));
  PutWord(9, fake_.GetCallStubReturn());
  PutEntry(20);
  EXPECT_EQ(Unwind(), "inner@6 Java");
  EXPECT_TRUE(out_.is_mounted);
}

TEST_F(Unwinder, CountsTheCallOfAVirtualThreadForItsCarrier) {
  unwinder_.continuation_entry = inner_;
  capture_->pc = inner_code_ + 32;
  PutWord(3, outer_code_ + 64);
  PutWord(8, GetAddress(20));
  PutWord(9, fake_.GetCallStubReturn());
  PutEntry(20);
  EXPECT_EQ(Unwind(), "inner@6<outer@6 Java");
  EXPECT_FALSE(out_.is_mounted);
}

TEST_F(Unwinder, UnwindsThroughNativeCodeThatCallsJava) {
  uintptr_t wrapper = fake_.AddBlob("native nmethod", 64, 4);
  code_map_load(codes_, native_, wrapper, 64, nullptr);
  capture_->pc = inner_code_ + 32;
  PutWord(2, GetAddress(20));
  PutWord(3, fake_.GetCallStubReturn());
  PutWord(20 + FRAME_CALL_WRAPPER, GetAddress(40));
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
    capture_->pc = word(), capture_->fp = word(), capture_->bcp = word(), capture_->lr = word();
    capture_->anchor_sp = word(), capture_->anchor_pc = word(), capture_->anchor_fp = word();
    capture_->state = static_cast<int32_t>(next() % 12);
    Unwind();
    EXPECT_LE(out_.num, 16);
  }
}

}  // namespace
