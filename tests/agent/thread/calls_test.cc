#include "agent/thread/calls.h"

#include "gtest/gtest.h"

namespace {

const int kMax = 65536;

// AddressSanitizer tells if the memory is not given back.
class CallsTest : public testing::Test {
 protected:
  ~CallsTest() override { calls_free(&calls_); }

  struct call *Push(int row) {
    struct call *call = calls_push(&calls_);
    if (call != nullptr) call->row = row;
    return call;
  }

  struct calls calls_ = {};
};

TEST_F(CallsTest, WithoutOneThereIsNoTop) { EXPECT_EQ(calls_top(&calls_), nullptr); }

TEST_F(CallsTest, TheLastIsTheInnermost) {
  Push(1);
  struct call *last = Push(2);
  EXPECT_EQ(calls_top(&calls_), last);
  EXPECT_EQ(calls_pop(&calls_).row, 2);
  EXPECT_EQ(calls_top(&calls_)->row, 1);
  EXPECT_EQ(calls_pop(&calls_).row, 1);
  EXPECT_EQ(calls_top(&calls_), nullptr);
}

TEST_F(CallsTest, ANewOneIsAllZeroWhateverWasThereBefore) {
  struct call *call = Push(7);
  call->recording = call->object = call->lock = call->inside = 9;
  call->cpu_ns = 9;
  calls_pop(&calls_);
  call = calls_push(&calls_);
  EXPECT_EQ(call->row, 0);
  EXPECT_EQ(call->method, nullptr);
  EXPECT_EQ(call->stack, nullptr);
  EXPECT_EQ(call->cpu_ns, 0u);
  EXPECT_EQ(call->recording | call->object | call->lock | call->inside, 0u);
}

TEST_F(CallsTest, AllAreLookedThroughForARow) {
  EXPECT_FALSE(calls_have(&calls_, 0));
  for (int row : {CALL_OF_USER, 7, 9, 7}) Push(row);
  for (int row : {CALL_OF_USER, 7, 9}) EXPECT_TRUE(calls_have(&calls_, row)) << row;
  for (int row : {0, 1, 8, -2}) EXPECT_FALSE(calls_have(&calls_, row)) << row;
  calls_pop(&calls_);
  EXPECT_TRUE(calls_have(&calls_, 7));
  calls_pop(&calls_);
  EXPECT_FALSE(calls_have(&calls_, 9)) << "it has left";
}

TEST_F(CallsTest, ThereIsNoneMoreThanTheBoundAndThoseThatAreStay) {
  for (int i = 0; i < kMax; i++) ASSERT_NE(Push(i), nullptr) << i;
  EXPECT_EQ(Push(-1), nullptr);
  EXPECT_EQ(calls_top(&calls_)->row, kMax - 1);
  calls_pop(&calls_);
  EXPECT_NE(Push(kMax - 1), nullptr);
  for (int i = kMax; i > 0; i--) ASSERT_EQ(calls_pop(&calls_).row, i - 1);
}

TEST_F(CallsTest, FreedTheyAreNoneAndMayBeUsedAgain) {
  for (int i = 0; i < 100; i++) Push(i);
  calls_free(&calls_);
  EXPECT_EQ(calls_top(&calls_), nullptr);
  Push(3);
  EXPECT_EQ(calls_top(&calls_)->row, 3);
}

}  // namespace
