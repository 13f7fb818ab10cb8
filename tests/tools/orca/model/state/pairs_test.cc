#include "tools/orca/model/state/pairs.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

struct event_line Line(ticks_t time, enum event_kind kind, uint32_t thread, uint32_t object = 0,
                       uint32_t owner = 0) {
  struct event_line line = {};
  line.time = time;
  line.kind = kind;
  line.thread = thread;
  line.object = object;
  line.owner = owner;
  return line;
}

struct event_line With(const std::string &stack, struct event_line line) {
  line.stack = Span(stack);
  return line;
}

class Pairs : public testing::Test {
 protected:
  ~Pairs() override { pairs_free(&pairs_); }

  enum pairs_answer Feed(const struct event_line &line, stack_id_t stack = 0) {
    return pairs_feed(&pairs_, &line, stack, &pair_);
  }

  struct pairs pairs_ = {};
  struct pair pair_ = {};
};

TEST_F(Pairs, AnEndGoesToItsBegin) {
  EXPECT_EQ(Feed(Line(10, EVENT_MONITOR_CONTENDED_ENTER, 1, 0xA, 2), 5), PAIRS_NONE);
  EXPECT_EQ(Feed(Line(11, EVENT_THREAD_SLEEP, 2)), PAIRS_NONE);
  EXPECT_EQ(Feed(Line(12, EVENT_OBJECT_NOTIFY, 1, 0xA)), PAIRS_NONE);
  ASSERT_EQ(Feed(Line(15, EVENT_MONITOR_CONTENDED_ENTERED, 1, 0xA), 6), PAIRS_DONE);
  EXPECT_EQ(pair_.kind, EVENT_MONITOR_CONTENDED_ENTER);
  EXPECT_EQ(pair_.thread, 1u);
  EXPECT_EQ(pair_.object, 0xAu);
  EXPECT_EQ(pair_.owner, 2u);
  EXPECT_EQ(pair_.stack, 5u);
  EXPECT_EQ(pair_.begin, 10u);
  EXPECT_EQ(pair_.end, 15u);
  EXPECT_FALSE(pair_.open);
}

TEST_F(Pairs, OwnersThatAreHeardOfLater) {
  Feed(Line(10, EVENT_MONITOR_CONTENDED_ENTER, 1, 0xA));
  EXPECT_EQ(Feed(Line(11, EVENT_MONITOR_OWNER, 2, 0xA, 9)), PAIRS_NONE);  // it does not block
  EXPECT_EQ(Feed(Line(11, EVENT_MONITOR_OWNER, 1, 0xB, 9)), PAIRS_NONE);  // not on that
  EXPECT_EQ(Feed(Line(12, EVENT_MONITOR_OWNER, 1, 0xA, 5)), PAIRS_TOLD);
  EXPECT_EQ(pair_.begin, 10u);
  EXPECT_EQ(pair_.owner, 5u);
  EXPECT_TRUE(pair_.open);
  EXPECT_EQ(Feed(Line(13, EVENT_MONITOR_OWNER, 1, 0xA, 6)), PAIRS_NONE);
  Feed(Line(14, EVENT_MONITOR_OWNER, 1, 0xA));
  ASSERT_EQ(Feed(Line(15, EVENT_MONITOR_CONTENDED_ENTERED, 1, 0xA)), PAIRS_DONE);
  EXPECT_EQ(pair_.owner, 5u);
  EXPECT_EQ(pair_.last_owner, 6u);
  EXPECT_EQ(Feed(Line(16, EVENT_MONITOR_OWNER, 1, 0xA, 7)), PAIRS_NONE);  // over
  EXPECT_EQ(pairs_.without_begin, 0u);
}

TEST_F(Pairs, EveryKindOfPairWorks) {
  for (int kind = 0; kind + 1 < NUM_EVENTS; kind++) {
    if (event_infos[kind].role != ROLE_BEGIN) continue;
    EXPECT_EQ(Feed(Line(1, static_cast<enum event_kind>(kind), 1, 7)), PAIRS_NONE);
    ASSERT_EQ(Feed(Line(3, static_cast<enum event_kind>(kind + 1), 1, 7)), PAIRS_DONE);
    EXPECT_EQ(pair_.kind, kind);
  }
  EXPECT_EQ(pairs_.without_begin + pairs_.without_end, 0u);
}

TEST_F(Pairs, WithoutBegin) {
  EXPECT_EQ(Feed(Line(10, EVENT_THREAD_SLEPT, 1)), PAIRS_NONE);
  Feed(Line(11, EVENT_OBJECT_WAIT, 1, 0xA));
  EXPECT_EQ(Feed(Line(12, EVENT_OBJECT_WAITED, 1, 0xB)), PAIRS_NONE);  // of another object
  EXPECT_EQ(pairs_.without_begin, 2u);
  EXPECT_EQ(Feed(Line(13, EVENT_OBJECT_WAITED, 1, 0xA)), PAIRS_DONE);
  EXPECT_EQ(Feed(Line(14, EVENT_OBJECT_WAITED, 1, 0xA)), PAIRS_NONE);  // for the second time
  EXPECT_EQ(pairs_.without_begin, 3u);
}

TEST_F(Pairs, WithoutEnd) {
  Feed(Line(10, EVENT_THREAD_SLEEP, 1));
  Feed(Line(20, EVENT_THREAD_SLEEP, 1));
  EXPECT_EQ(pairs_.without_end, 1u);
  ASSERT_EQ(Feed(Line(21, EVENT_THREAD_SLEPT, 1)), PAIRS_DONE);
  EXPECT_EQ(pair_.begin, 20u);
}

// A fork/join task joins others, which are run inside of the join.
TEST_F(Pairs, TheSameCallInsideOfACall) {
  const std::string join = "2;00000007;00000000;00000009;00000000",
                    inner =
                        "4;00000007;00000000;00000009;00000000;00000007;00000000;00000009;"
                        "00000000";
  Feed(With(join, Line(10, EVENT_TASK_JOIN, 1, 0xA)), 1);
  Feed(With(inner, Line(12, EVENT_TASK_JOIN, 1, 0xB)), 2);
  ASSERT_TRUE(pairs_find(&pairs_, 1, EVENT_TASK_JOIN, &pair_));
  EXPECT_EQ(pair_.object, 0xBu);
  ASSERT_EQ(Feed(With(inner, Line(15, EVENT_TASK_JOINED, 1, 0xB))), PAIRS_DONE);
  EXPECT_EQ(pair_.begin, 12u);
  EXPECT_EQ(pair_.stack, 2u);
  Feed(With(inner, Line(16, EVENT_TASK_JOIN, 1, 0xC)), 2);
  ASSERT_EQ(Feed(With(inner, Line(17, EVENT_TASK_JOIN_FAILED, 1, 0xC))), PAIRS_DONE);
  EXPECT_TRUE(pair_.failed);
  ASSERT_EQ(Feed(With(join, Line(20, EVENT_TASK_JOINED, 1, 0xA))), PAIRS_DONE);
  EXPECT_EQ(pair_.begin, 10u);
  EXPECT_FALSE(pair_.failed);
  EXPECT_FALSE(pairs_find(&pairs_, 1, EVENT_TASK_JOIN, &pair_));
  EXPECT_EQ(pairs_.without_begin + pairs_.without_end, 0u);
}

// Its end was dropped, as the stack of what follows does not show it.
TEST_F(Pairs, WhatIsNotInsideEndsThePairs) {
  const std::string join = "2;00000007;00000000;00000009;00000000",
                    inner = "3;00000007;00000000;00000007;00000000;00000009;00000000";
  Feed(With(join, Line(10, EVENT_TASK_JOIN, 1, 0xA)));
  Feed(With(inner, Line(11, EVENT_TASK_JOIN, 1, 0xB)));
  Feed(With(join, Line(12, EVENT_TASK_JOIN, 1, 0xC)));
  EXPECT_EQ(pairs_.without_end, 2u);
  EXPECT_EQ(Feed(With(join, Line(13, EVENT_TASK_JOINED, 1, 0xA))), PAIRS_NONE);
  EXPECT_EQ(pairs_.without_begin, 1u);
}

TEST_F(Pairs, ACutStackMayBeInside) {
  const std::string join = "2;00000007;00000000;00000009;00000000",
                    cut = "2;00000007;00000000;00000008;00000000";
  pairs_.depth = 2;
  Feed(With(join, Line(10, EVENT_TASK_JOIN, 1, 0xA)));
  Feed(With(cut, Line(11, EVENT_TASK_JOIN, 1, 0xB)));
  EXPECT_EQ(Feed(With(cut, Line(12, EVENT_TASK_JOINED, 1, 0xB))), PAIRS_DONE);
  EXPECT_EQ(Feed(With(join, Line(13, EVENT_TASK_JOINED, 1, 0xA))), PAIRS_DONE);
  EXPECT_EQ(pairs_.without_end, 0u);
}

TEST_F(Pairs, TheEndOfAnOuterOneEndsWhatIsInside) {
  const std::string join = "2;00000007;00000000;00000009;00000000",
                    inner = "3;00000007;00000000;00000007;00000000;00000009;00000000";
  Feed(With(join, Line(10, EVENT_TASK_JOIN, 1, 0xA)));
  Feed(With(inner, Line(11, EVENT_TASK_JOIN, 1, 0xB)));
  ASSERT_EQ(Feed(With(join, Line(13, EVENT_TASK_JOINED, 1, 0xA))), PAIRS_DONE);
  EXPECT_EQ(pair_.begin, 10u);
  EXPECT_EQ(pairs_.without_end, 1u);
  size_t cursor = 0;
  EXPECT_FALSE(pairs_next_open(&pairs_, &cursor, &pair_));
}

TEST_F(Pairs, TheOpenOnes) {
  Feed(Line(10, EVENT_THREAD_SLEEP, 1));
  Feed(Line(11, EVENT_THREAD_SLEEP, 2));
  Feed(Line(12, EVENT_THREAD_SLEPT, 1));
  size_t cursor = 0;
  ASSERT_TRUE(pairs_next_open(&pairs_, &cursor, &pair_));
  EXPECT_EQ(pair_.thread, 2u);
  EXPECT_TRUE(pair_.open);
  EXPECT_FALSE(pairs_next_open(&pairs_, &cursor, &pair_));
}

}  // namespace
