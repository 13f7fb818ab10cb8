#include "agent/thread/young.h"

#include <atomic>

#include "gtest/gtest.h"
#include "tests/support/at_once.h"

namespace {

constexpr uint64_t kSince = 1000;
const struct young_call kCall = {1, 0x10, 0xB, 0xC, 7};
struct stack *const kStack = reinterpret_cast<struct stack *>(0x50);

class Young : public testing::Test {
 protected:
  void Begin(uint64_t since = kSince) {
    young_prepare(&young_);
    young_begin(&young_, &kCall, since);
  }
  uint64_t Read() { return young_read(&young_, &read_); }

  struct young young_ = {};
  struct young_call read_ = {};
};

TEST_F(Young, ThereIsNoneAtFirst) {
  EXPECT_EQ(Read(), YOUNG_NONE);
  EXPECT_FALSE(young_is_open(&young_));
}

TEST_F(Young, IsUnknownUntilItsTimeIs) {
  young_prepare(&young_);
  EXPECT_EQ(Read(), YOUNG_UNKNOWN);
  EXPECT_TRUE(young_is_open(&young_));
}

TEST_F(Young, AnotherThreadReadsIt) {
  Begin();
  EXPECT_EQ(Read(), kSince);
  EXPECT_EQ(read_.recording, 1u);
  EXPECT_EQ(read_.object, 0x10u);
  EXPECT_EQ(read_.owner, 0xBu);
  EXPECT_EQ(read_.row, 7);
}

TEST_F(Young, RoundsTheTimeDown) {
  for (uint64_t time : {1000, 1001, 1003}) EXPECT_EQ(young_round(time), 1000u);
  Begin(young_round(1003));
  EXPECT_EQ(Read(), 1000u);
}

TEST_F(Young, AShortCallIsLeftOut) {
  Begin();
  EXPECT_EQ(young_end(&young_, kSince, false), YOUNG_LEFT_OUT);
  EXPECT_EQ(Read(), YOUNG_NONE);
  EXPECT_FALSE(young_claim(&young_, kSince, kStack));
}

TEST_F(Young, TheThreadRecordsALongCallItself) {
  Begin();
  EXPECT_EQ(young_end(&young_, kSince, true), YOUNG_ALONE);
  EXPECT_EQ(Read(), YOUNG_UNKNOWN) << "its records may not be handed in yet";
  EXPECT_FALSE(young_claim(&young_, kSince, kStack));
  young_close(&young_);
  EXPECT_EQ(Read(), YOUNG_NONE);
}

TEST_F(Young, TheWatchRecordsACallThatLasts) {
  Begin();
  EXPECT_TRUE(young_claim(&young_, kSince, kStack));
  EXPECT_EQ(Read(), YOUNG_NONE) << "nobody has to record it any more";
  EXPECT_TRUE(young_is_open(&young_));
  EXPECT_EQ(young_end(&young_, kSince, true), YOUNG_RECORDED);
  EXPECT_EQ(young_.stack, kStack);
  young_close(&young_);
  EXPECT_FALSE(young_is_open(&young_));
}

TEST_F(Young, CountsCallsOfTheSameRowInside) {
  young_enter_inside(&young_, kCall.row); /* there is no young call yet */
  Begin();
  EXPECT_EQ(young_inside(&young_), 0u);
  young_enter_inside(&young_, kCall.row);
  young_enter_inside(&young_, kCall.row + 1);
  EXPECT_EQ(young_inside(&young_), 1u);
  young_leave_inside(&young_, kCall.row + 1);
  young_leave_inside(&young_, kCall.row);
  EXPECT_EQ(young_inside(&young_), 0u);
}

// The threshold may have become longer after the watch recorded the begin.
TEST_F(Young, ACallThatIsRecordedIsNeverLeftOut) {
  Begin();
  ASSERT_TRUE(young_claim(&young_, kSince, kStack));
  EXPECT_EQ(young_end(&young_, kSince, false), YOUNG_RECORDED);
}

TEST_F(Young, TheWatchCannotClaimAnotherCall) {
  Begin();
  young_end(&young_, kSince, false);
  Begin(2000);
  EXPECT_FALSE(young_claim(&young_, kSince, kStack));
  EXPECT_EQ(Read(), 2000u);
  EXPECT_EQ(young_end(&young_, 2000, true), YOUNG_ALONE);
}

// Each call gets a begin event from one of the two, or from none if it is left out.
TEST_F(Young, ExactlyOneRecordsACall) {
  constexpr uint64_t kCalls = 20000;
  std::atomic<bool> is_over{false};
  std::atomic<uint64_t> alone{0}, recorded{0}, left_out{0}, claimed{0};
  RunConcurrently(2, [&](int i) {
    if (i == 0) {
      for (uint64_t n = 1; n <= kCalls; n++) {
        Begin(4 * n);
        enum young_end end = young_end(&young_, 4 * n, n % 2 == 0);
        (end == YOUNG_ALONE ? alone : end == YOUNG_RECORDED ? recorded : left_out)++;
        if (end != YOUNG_LEFT_OUT) young_close(&young_);
      }
      is_over = true;
      return;
    }
    while (!is_over) {
      struct young_call call;
      uint64_t since = young_read(&young_, &call);
      if (since == YOUNG_NONE || since == YOUNG_UNKNOWN) continue;
      if (young_claim(&young_, since, kStack)) claimed++;
    }
  });
  EXPECT_EQ(alone + recorded + left_out, kCalls);
  EXPECT_EQ(recorded, claimed);
}

}  // namespace
