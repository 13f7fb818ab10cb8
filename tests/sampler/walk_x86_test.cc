#include "tests/support/unwinding.h"

namespace {

class WalkX86 : public Unwinding {
 protected:
  WalkX86() : Unwinding(&walk_x86) {}
};

TEST_F(WalkX86, LeavesAPrologue) {
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

TEST_F(WalkX86, LeavesAnEpilogue) {
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

TEST_F(WalkX86, LeavesACFunctionWithoutAnAnchor) {
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

TEST_F(WalkX86, LeavesAStubWithoutAFrame) {
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

TEST_F(WalkX86, LeavesAStubByItsFramePointer) {
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

}  // namespace
