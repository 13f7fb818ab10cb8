#include "agent/thread/calls.h"

#include "gtest/gtest.h"

namespace {

const int kMax = 65536;

// AddressSanitizer reports a leak.
class CallsTest : public testing::Test {
 protected:
  ~CallsTest() override { calls_free(&calls_); }

  struct call *PushCall(int row) {
    struct call *call = calls_push(&calls_);
    if (call != nullptr) call->row = row;
    return call;
  }

  struct calls calls_ = {};
};

TEST_F(CallsTest, HasNoTopWhenEmpty) { EXPECT_EQ(calls_top(&calls_), nullptr); }

TEST_F(CallsTest, PopsTheInnermostFirst) {
  PushCall(1);
  struct call *last = PushCall(2);
  EXPECT_EQ(calls_top(&calls_), last);
  EXPECT_EQ(calls_pop(&calls_)->row, 2);
  EXPECT_EQ(calls_top(&calls_)->row, 1);
  EXPECT_EQ(calls_pop(&calls_)->row, 1);
  EXPECT_EQ(calls_top(&calls_), nullptr);
}

TEST_F(CallsTest, PushesACallThatIsAllZero) {
  struct call *call = PushCall(7);
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

TEST_F(CallsTest, FindsAnyCallOfARow) {
  EXPECT_FALSE(calls_have(&calls_, 0));
  for (int row : {CALL_OF_USER, 7, 9, 7}) PushCall(row);
  for (int row : {CALL_OF_USER, 7, 9}) EXPECT_TRUE(calls_have(&calls_, row)) << row;
  for (int row : {0, 1, 8, -2}) EXPECT_FALSE(calls_have(&calls_, row)) << row;
  calls_pop(&calls_);
  EXPECT_TRUE(calls_have(&calls_, 7));
  calls_pop(&calls_);
  EXPECT_FALSE(calls_have(&calls_, 9)) << "the call has exited";
}

TEST_F(CallsTest, RefusesACallBeyondTheBoundAndKeepsTheOthers) {
  for (int i = 0; i < kMax; i++) ASSERT_NE(PushCall(i), nullptr) << i;
  EXPECT_EQ(PushCall(-1), nullptr);
  EXPECT_EQ(calls_top(&calls_)->row, kMax - 1);
  calls_pop(&calls_);
  EXPECT_NE(PushCall(kMax - 1), nullptr);
  for (int i = kMax; i > 0; i--) ASSERT_EQ(calls_pop(&calls_)->row, i - 1);
}

TEST_F(CallsTest, IsEmptyAndUsableAfterFree) {
  for (int i = 0; i < 100; i++) PushCall(i);
  calls_free(&calls_);
  EXPECT_EQ(calls_top(&calls_), nullptr);
  PushCall(3);
  EXPECT_EQ(calls_top(&calls_)->row, 3);
}

}  // namespace
