#include "tests/support/unwinding.h"

namespace {

constexpr uint32_t kNop = 0xD503201F, kRet = 0xD65F03C0, kBl = 0x94000010;
constexpr uint32_t kSubSp32 = 0xD10083FF, kAddSp32 = 0x910083FF;     // sub, add sp, sp, #32
constexpr uint32_t kStorePair = 0xA9017BFD, kLoadPair = 0xA9417BFD;  // x29, x30, [sp, #16]
constexpr uint32_t kPushPair = 0xA9BF7BFD, kPopPair = 0xA8C17BFD;    // at sp, which moves by 16
constexpr uint32_t kMovX8 = 0xD2800208;                              // mov x8, #16
constexpr uint32_t kSubSpX8 = 0xCB2863FF, kAddSpX8 = 0x8B2863FF;
constexpr uint32_t kMovFpSp = 0x910003FD;
constexpr uint32_t kLoadPoll = 0xF9422788, kComparePoll = 0xEB2863FF, kJumpPoll = 0x540000A8;

class WalkArm64 : public Unwinding {
 protected:
  WalkArm64() : Unwinding(&walk_arm64) {}

  void SetInstructions(uintptr_t at, const std::vector<uint32_t> &instructions) {
    memcpy(reinterpret_cast<void *>(at), instructions.data(), instructions.size() * 4);
  }
  // Stores what is above inner's frame: outer's frame, which begins at word `at`, and call_stub.
  void PutOuter(int at) {
    PutWord(at + 4, GetAddress(at + 20));
    PutWord(at + 5, fake_.GetCallStubReturn());
    PutEntry(at + 20);
  }
  // Moves the stack pointer, and forgets the stack.
  void Begin(uintptr_t pc, uintptr_t lr) {
    memset(capture_->stack, 0, 2000);
    capture_->stack_len = 0;
    capture_->pc = pc;
    capture_->lr = lr;
    capture_->fp = 0;
  }
};

TEST_F(WalkArm64, LeavesASmallFrameAtEachInstruction) {
  SetInstructions(inner_code_, {kNop, kSubSp32, kStorePair, kNop});
  SetInstructions(inner_code_ + 64,
                  {kLoadPair, kAddSp32, kLoadPoll, kComparePoll, kJumpPoll, kRet});
  const struct {
    uintptr_t at;
    int sp;        /* words that the stack pointer is below outer's frame */
    bool has_link; /* lr is the return address; otherwise the frame contains it */
  } cases[] = {{0, 0, true},   {4, 0, true},   {8, 4, true},  {12, 4, true},
               {16, 4, false}, {64, 4, false}, {68, 4, true}, {72, 0, true},
               {76, 0, true},  {80, 0, true},  {84, 0, true}};
  for (auto &c : cases) {
    Begin(inner_code_ + c.at, c.has_link ? outer_code_ + 64 : 0x1234);
    if (!c.has_link) PutWord(3, outer_code_ + 64);
    PutOuter(c.sp);
    EXPECT_EQ(Unwind(), c.at < 64 ? "inner@6<outer@6 Java" : "inner@12<outer@6 Java") << c.at;
  }
}

TEST_F(WalkArm64, LeavesALargeFrameAtEachInstruction) {
  SetInstructions(inner_code_, {kPushPair, kMovX8, kSubSpX8, kNop});
  SetInstructions(inner_code_ + 64, {kMovX8, kAddSpX8, kPopPair, kRet});
  const struct {
    uintptr_t at;
    int sp, link; /* the word with the return address; -1: lr is it */
  } cases[] = {{0, 0, -1}, {4, 2, -1}, {8, 2, -1}, {12, 4, -1}, {16, 4, 3},
               {64, 4, 3}, {68, 4, 3}, {72, 2, 1}, {76, 0, -1}};
  for (auto &c : cases) {
    Begin(inner_code_ + c.at, c.link < 0 ? outer_code_ + 64 : 0x1234);
    if (c.link >= 0) PutWord(c.link, outer_code_ + 64);
    PutOuter(c.sp);
    EXPECT_EQ(Unwind(), c.at < 64 ? "inner@6<outer@6 Java" : "inner@12<outer@6 Java") << c.at;
  }
}

// The wrapper of a native method points x29 to its pair. It passes this value of x29 on to nobody.
TEST_F(WalkArm64, LeavesAPrologueThatMovedTheFramePointer) {
  SetInstructions(inner_code_, {kPushPair, kMovFpSp, kSubSp32, kNop});
  Begin(inner_code_ + 12, fake_.GetInterpreterLow() + 200);
  capture_->fp = GetAddress(4);
  PutWord(4, GetAddress(20));
  PutInterpreted(20, 9, GetAddress(60), fake_.GetCallStubReturn());
  PutEntry(60);
  EXPECT_EQ(Unwind(), "inner@6<interpreted@9 Java");
}

TEST_F(WalkArm64, LeavesAStubByTheLinkRegister) {
  uintptr_t stub = fake_.AddBlob("StubRoutines (1)", 200, 0);
  Begin(stub + 48, outer_code_ + 64);
  PutOuter(0);
  EXPECT_EQ(Unwind(), "outer@6 Java");
  /* The same while an adapter has made room for two pairs of arguments. */
  Begin(stub + 48, outer_code_ + 64);
  PutOuter(4);
  EXPECT_EQ(Unwind(), "outer@6 Java");
  /* A return address that no call precedes. */
  Begin(stub + 48, outer_code_ + 68);
  PutWord(5, outer_code_ + 68);
  EXPECT_EQ(Unwind(), " Lost");
}

TEST_F(WalkArm64, LeavesAStubThatStoredTheLinkRegister) {
  uintptr_t stub = fake_.AddBlob("StubRoutines (1)", 200, 0);
  Begin(stub + 48, outer_code_ + 64);
  capture_->fp = GetAddress(2);
  PutWord(2, 0);
  PutWord(3, outer_code_ + 64);
  PutOuter(4);
  EXPECT_EQ(Unwind(), "outer@6 Java") << "x29 points to the pair";
  Begin(stub + 4, outer_code_ + 64);
  capture_->fp = GetAddress(50);
  PutWord(0, GetAddress(50));
  PutWord(1, outer_code_ + 64);
  PutOuter(2);
  EXPECT_EQ(Unwind(), "outer@6 Java") << "the pair is stored, x29 is not yet moved";
  Begin(stub + 48, stub + 40);
  capture_->fp = GetAddress(2);
  PutWord(2, 0);
  PutWord(3, outer_code_ + 64);
  PutOuter(4);
  EXPECT_EQ(Unwind(), "outer@6 Java") << "the stub has called another";
}

// C code of a JVM that is built with -mbranch-protection stores signed return addresses.
TEST_F(WalkArm64, LeavesACFunctionThatHasNoAnchor) {
  constexpr uintptr_t kSignature = uintptr_t{0x5A} << 48;
  SetInstructions(outer_code_ + 80, {kBl});
  for (uintptr_t signature : {uintptr_t{0}, kSignature}) {
    Begin(0x5555, 0x5678);
    PutWord(1, outer_code_ + 92); /* not a return address: no call ends there */
    PutWord(4, 0);
    PutWord(5, (outer_code_ + 84) | signature);
    PutOuter(6);
    EXPECT_EQ(Unwind(), "outer@12 Vm") << signature;
  }
  Begin(0x5555, outer_code_ + 84);
  PutOuter(0);
  EXPECT_EQ(Unwind(), "outer@12 Vm") << "it has stored nothing";
}

// Before an interpreted method has its frame, lr and x29 are those of its caller.
TEST_F(WalkArm64, LeavesTheEntryOfAnInterpretedMethod) {
  Begin(fake_.GetInterpreterLow() + 100, outer_code_ + 64);
  PutOuter(2);
  EXPECT_EQ(Unwind(), "outer@6 Java");
  Begin(fake_.GetInterpreterLow() + 100, fake_.GetCallStubReturn());
  capture_->fp = GetAddress(20);
  PutEntry(20);
  EXPECT_EQ(Unwind(), " Java") << "the first method of a thread";
}

// The walk ends and stays inside of the capture, whatever the words of the stack are.
TEST_F(WalkArm64, EndsOnRandomWords) {
  uint64_t random = 88172645463325252;
  uintptr_t stub = fake_.AddBlob("StubRoutines (1)", 200, 0);
  const uintptr_t likely[] = {inner_code_ + 4, outer_code_ + 64, fake_.GetCallStubReturn(),
                              stub + 8,        kStack + 64,      inner_code_ + 64};
  SetInstructions(inner_code_, {kPushPair, kMovFpSp, kSubSpX8, kNop});
  SetInstructions(inner_code_ + 64, {kMovX8, kAddSpX8, kPopPair, kRet});
  for (int round = 0; round < 3000; round++) {
    auto next = [&] {
      random ^= random << 13, random ^= random >> 7, random ^= random << 17;
      return random;
    };
    auto word = [&] { return next() % 4 == 0 ? next() : likely[next() % 6]; };
    capture_->stack_len = 0;
    for (int i = 0; i < 100; i++) PutWord(i, word());
    capture_->pc = word(), capture_->fp = word(), capture_->lr = word();
    Unwind();
    EXPECT_LE(out_.num, 16);
  }
}

}  // namespace
