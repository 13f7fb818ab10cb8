#include "tools/orca/attach/bounded_wait.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "agent/base/clock.h"

namespace {

struct wait_limits MakeShortLimits() {
  return {100, 100, 100};
}

bool IsBlocked(int signal) {
  sigset_t now;
  sigprocmask(SIG_SETMASK, nullptr, &now);
  return sigismember(&now, signal) == 1;
}

int num_signals;
void CountSignal(int) { num_signals++; }

class BoundedWait : public testing::Test {
 protected:
  void Begin() {
    struct wait_limits limits = MakeShortLimits();
    struct refusal why;
    ASSERT_TRUE(bounded_wait_begin(&w_, &limits, &why)) << why.text;
  }
  void TearDown() override {
    signal(SIGINT, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
  }
  struct bounded_wait w_;
};

TEST_F(BoundedWait, SleepsForTheGivenTime) {
  Begin();
  uint64_t start = clock_monotonic_ns();
  EXPECT_TRUE(bounded_wait_sleep(&w_, 30));
  EXPECT_GE(clock_monotonic_ns() - start, 30 * NS_PER_MS);
  bounded_wait_end(&w_);
}

TEST_F(BoundedWait, IsEndedByASignalThatTakesEffectAfterTheWait) {
  signal(SIGINT, CountSignal);
  num_signals = 0;
  Begin();
  raise(SIGINT);
  EXPECT_FALSE(bounded_wait_sleep(&w_, 60000));
  EXPECT_EQ(bounded_wait_for(&w_, -1, UINT64_MAX), WAIT_SIGNALLED);
  EXPECT_EQ(num_signals, 0);
  bounded_wait_end(&w_);
  EXPECT_EQ(num_signals, 1);
  EXPECT_FALSE(IsBlocked(SIGINT));
}

TEST_F(BoundedWait, KeepsIgnoredSignalsIgnored) {
  signal(SIGHUP, SIG_IGN);
  Begin();
  EXPECT_FALSE(IsBlocked(SIGHUP));
  EXPECT_TRUE(IsBlocked(SIGTERM));
  raise(SIGHUP);
  EXPECT_TRUE(bounded_wait_sleep(&w_, 1));
  bounded_wait_end(&w_);
}

TEST_F(BoundedWait, ReturnsWhenAFileIsReadableOrAtItsEnd) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  Begin();
  EXPECT_EQ(bounded_wait_for(&w_, ends[0], clock_monotonic_ns() + 5 * NS_PER_MS), WAIT_TIMED_OUT);
  EXPECT_EQ(bounded_wait_for(&w_, ends[0], 0), WAIT_TIMED_OUT);
  ASSERT_EQ(write(ends[1], "x", 1), 1);
  EXPECT_EQ(bounded_wait_for(&w_, ends[0], 0), WAIT_READABLE);
  char c;
  ASSERT_EQ(read(ends[0], &c, 1), 1);
  close(ends[1]);
  EXPECT_EQ(bounded_wait_for(&w_, ends[0], UINT64_MAX), WAIT_READABLE);
  bounded_wait_end(&w_);
  close(ends[0]);
}

}  // namespace
