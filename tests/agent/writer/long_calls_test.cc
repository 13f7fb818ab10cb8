#include "agent/writer/long_calls.h"

#include <string.h>

#include <string>

#include "agent/record/stack.h"
#include "gtest/gtest.h"

namespace {

constexpr uint64_t kMs = 1000000;
constexpr uint64_t kLimit = 500 * kMs;

struct stack MakeStack(const char *text) {
  struct stack s = {};
  s.text = text;
  s.text_len = strlen(text);
  return s;
}

class LongCallsTest : public testing::Test {
 protected:
  ~LongCallsTest() override {
    long_calls_free(&calls_);
    carryover_free(&threads_);
  }
  void Name(uint32_t thread, std::string name) {
    struct record r = {};
    r.event = EVENT_THREAD_STARTED;
    r.thread = thread;
    r.u.name.text = name.data();
    r.u.name.len = name.size();
    carryover_follow(&threads_, &r);
  }
  void Follow(uint64_t ms, enum event_kind kind, uint32_t thread, struct stack *stack = nullptr) {
    struct record r = {};
    r.event = static_cast<uint8_t>(kind);
    r.time_ns = ms * kMs;
    r.thread = thread;
    r.stack = stack;
    long_calls_follow(&calls_, &r, kLimit, &threads_);
  }
  void Enter(uint64_t ms, uint32_t thread, struct stack *stack) {
    Follow(ms, EVENT_METHOD_ENTRY, thread, stack);
  }
  void Exit(uint64_t ms, uint32_t thread, struct stack *stack) {
    Follow(ms, EVENT_METHOD_EXIT, thread, stack);
  }
  // What is reported at this time: "NUM of METHOD THREAD MS over|on NAME", "" for nothing.
  std::string Report(uint64_t ms) {
    struct long_call c;
    if (!long_calls_report(&calls_, ms * kMs, kLimit, &threads_, &c)) return "";
    return std::to_string(c.num) + " of " + std::to_string(c.method) + " " +
           std::to_string(c.thread) + " " + std::to_string(c.ns / kMs) +
           (c.is_over ? " over " : " on ") + std::string(c.name, c.name_len);
  }

  struct long_calls calls_ = {};
  struct carryover threads_ = {};
  struct stack f_ = MakeStack("2;00000005;00000000;00000009;00000003");
  struct stack g_ = MakeStack("3;00000006;00000000;00000005;00000007;00000009;00000003");
};

TEST_F(LongCallsTest, ReportsACallThatIsOverOnce) {
  Name(1, "main");
  Enter(0, 1, &f_);
  Exit(501, 1, &f_);
  EXPECT_TRUE(long_calls_wait(&calls_));
  EXPECT_EQ(Report(1000), "1 of 5 1 501 over main");
  EXPECT_EQ(Report(2000), "");
  EXPECT_FALSE(long_calls_wait(&calls_));
}

TEST_F(LongCallsTest, ReportsACallThatGoesOnOnce) {
  Enter(0, 1, &f_);
  EXPECT_TRUE(long_calls_wait(&calls_));
  EXPECT_EQ(Report(500), "");
  EXPECT_EQ(Report(1500), "1 of 5 1 1500 on ");
  EXPECT_FALSE(long_calls_wait(&calls_)) << "nothing is left to report";
  EXPECT_EQ(Report(2500), "");
  Exit(9000, 1, &f_);
  EXPECT_EQ(Report(9500), "");
  Enter(10000, 1, &f_);
  EXPECT_EQ(Report(11000), "1 of 5 1 1000 on ");
}

TEST_F(LongCallsTest, ShortCallsAreNotReported) {
  for (uint64_t i = 0; i < 10; i++) {
    Enter(1000 * i, 1, &f_);
    Exit(1000 * i + 500, 1, &f_);
  }
  EXPECT_EQ(Report(100000), "");
}

// A recursion of a method is several calls, each of which is reported once.
TEST_F(LongCallsTest, CallsInsideOfEachOtherCountByThemselves) {
  Enter(0, 1, &f_);
  Enter(400, 1, &g_);
  Exit(1000, 1, &g_);
  EXPECT_EQ(Report(1100), "2 of 5 1 1100 on ") << "the outer one is the longest";
  Enter(1200, 1, &g_);
  Enter(1300, 1, &f_);
  EXPECT_EQ(Report(1900), "2 of 6 1 700 on ") << "the outer one was reported";
  Exit(2000, 1, &f_);
  Exit(2000, 1, &g_);
  Exit(2000, 1, &f_);
  EXPECT_EQ(Report(3000), "");
}

TEST_F(LongCallsTest, TheExitOfAnOuterCallEndsThoseInside) {
  Enter(0, 1, &f_);
  Enter(10, 1, &g_);
  Exit(20, 1, &f_);
  EXPECT_EQ(Report(9000), "");
}

TEST_F(LongCallsTest, AnExitWithoutAnEntryEndsNothing) {
  Exit(5, 1, &f_);
  Enter(10, 1, &f_);
  Exit(20, 1, &g_);
  Exit(30, 2, &f_);
  EXPECT_EQ(Report(1000), "1 of 5 1 990 on ");
}

TEST_F(LongCallsTest, EachThreadHasItsOwnCalls) {
  Name(1, "one");
  Name(2, "two");
  Enter(0, 1, &f_);
  Enter(100, 2, &f_);
  Exit(700, 1, &f_);
  EXPECT_EQ(Report(900), "2 of 5 2 800 on two");
  Exit(950, 2, &f_);
  EXPECT_EQ(Report(2000), "");
}

TEST_F(LongCallsTest, TheEndOfAThreadEndsItsCalls) {
  Enter(0, 1, &f_);
  Enter(0, 1, &g_);
  Enter(0, 2, &f_);
  Follow(10, EVENT_THREAD_ENDED, 1);
  EXPECT_EQ(Report(1000), "1 of 5 2 1000 on ");
}

TEST_F(LongCallsTest, SkipForgetsOnlyWhatIsOver) {
  Enter(0, 1, &f_);
  Exit(600, 1, &f_);
  Enter(0, 2, &f_);
  long_calls_skip(&calls_);
  EXPECT_EQ(Report(1000), "1 of 5 2 1000 on ");
}

TEST_F(LongCallsTest, ForgetsAll) {
  Enter(0, 1, &f_);
  long_calls_forget(&calls_);
  EXPECT_FALSE(long_calls_wait(&calls_));
  EXPECT_EQ(Report(9000), "");
  Exit(9000, 1, &f_);
  Enter(9000, 1, &f_);
  EXPECT_EQ(Report(9600), "1 of 5 1 600 on ");
}

TEST_F(LongCallsTest, ACallWithoutAStackIsOfNoKnownMethod) {
  Enter(0, 1, nullptr);
  Exit(600, 1, nullptr);
  EXPECT_EQ(Report(700), "1 of 0 1 600 over ");
}

// The name is that of the moment at which the call ended: the thread may have ended since.
TEST_F(LongCallsTest, KeepsTheNameOfAThreadThatEnds) {
  Name(1, "short");
  Enter(0, 1, &f_);
  Exit(600, 1, &f_);
  carryover_free(&threads_);
  EXPECT_EQ(Report(700), "1 of 5 1 600 over short");
}

// A very long name is cut between two characters.
TEST_F(LongCallsTest, CutsALongName) {
  const std::string base(LONG_CALL_NAME - 1, 'x');
  const struct {
    std::string name, kept;
  } cases[] = {
      {base + "y", base + "y"},
      {base + "yz", base + "y"},
      {base + "ä", base},
      {base + "\\u000A", base},
      {base.substr(4) + "\\u000Az", base.substr(4)},
      {base.substr(5) + "\\u000Az", base.substr(5) + "\\u000A"},
  };
  uint32_t thread = 0;
  for (const auto &c : cases) {
    Name(++thread, c.name);
    Enter(0, thread, &f_);
    struct long_call call;
    ASSERT_TRUE(long_calls_report(&calls_, 600 * kMs, kLimit, &threads_, &call));
    EXPECT_EQ(std::string(call.name, call.name_len), c.kept) << c.name;
  }
}

TEST_F(LongCallsTest, ManyThreadsLeaveNoTrace) {
  Enter(0, 1, &f_);
  for (uint32_t thread = 2; thread <= 100000; thread++) {
    Enter(thread, thread, &f_);
    Exit(thread, thread, &f_);
  }
  EXPECT_LE(calls_.by_thread.capacity, 8192u);
  EXPECT_LE(calls_.capacity, 64u);
}

TEST_F(LongCallsTest, ADeepRecursionLeavesNoTrace) {
  for (int i = 0; i < 50000; i++) Enter(0, 1, &f_);
  EXPECT_EQ(Report(600), "50000 of 5 1 600 on ");
  for (int i = 0; i < 50000; i++) Exit(700, 1, &f_);
  EXPECT_EQ(calls_.capacity, 0u);
  EXPECT_EQ(Report(9000), "");
}

}  // namespace
