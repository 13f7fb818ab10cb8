#include "tools/orca/model/state/pairs.h"

#include "gtest/gtest.h"
#include "tests/tools/orca/model/small_dump.h"

namespace {

struct event_line MakeLine(ticks_t time, enum event_kind kind, uint32_t thread, uint32_t object = 0,
                           uint32_t owner = 0) {
  struct event_line line = {};
  line.time = time;
  line.kind = kind;
  line.thread = thread;
  line.object = object;
  line.owner = owner;
  return line;
}

struct event_line AddStack(const std::string &stack, struct event_line line) {
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

TEST_F(Pairs, MatchesAnEndWithItsBegin) {
  EXPECT_EQ(Feed(MakeLine(10, EVENT_MONITOR_CONTENDED_ENTER, 1, 0xA, 2), 5), PAIRS_NONE);
  EXPECT_EQ(Feed(MakeLine(11, EVENT_THREAD_SLEEP, 2)), PAIRS_NONE);
  EXPECT_EQ(Feed(MakeLine(12, EVENT_OBJECT_NOTIFY, 1, 0xA)), PAIRS_NONE);
  ASSERT_EQ(Feed(MakeLine(15, EVENT_MONITOR_CONTENDED_ENTERED, 1, 0xA), 6), PAIRS_DONE);
  EXPECT_EQ(pair_.kind, EVENT_MONITOR_CONTENDED_ENTER);
  EXPECT_EQ(pair_.thread, 1u);
  EXPECT_EQ(pair_.object, 0xAu);
  EXPECT_EQ(pair_.owner, 2u);
  EXPECT_EQ(pair_.stack, 5u);
  EXPECT_EQ(pair_.begin, 10u);
  EXPECT_EQ(pair_.end, 15u);
  EXPECT_FALSE(pair_.open);
}

TEST_F(Pairs, MarksTheInnermostPairAsOlder) {
  pairs_mark_older(&pairs_, 1, EVENT_THREAD_SLEEP);  // there is none
  Feed(MakeLine(10, EVENT_THREAD_SLEEP, 1));
  Feed(MakeLine(10, EVENT_THREAD_SLEEP, 2));
  pairs_mark_older(&pairs_, 1, EVENT_THREAD_SLEEP);
  EXPECT_EQ(Feed(MakeLine(12, EVENT_THREAD_SLEPT, 1)), PAIRS_DONE);
  EXPECT_TRUE(pair_.is_older);
  EXPECT_EQ(Feed(MakeLine(12, EVENT_THREAD_SLEPT, 2)), PAIRS_DONE);
  EXPECT_FALSE(pair_.is_older);
}

TEST_F(Pairs, TakesTheFirstOwnerThatALaterEventNames) {
  Feed(MakeLine(10, EVENT_MONITOR_CONTENDED_ENTER, 1, 0xA));
  EXPECT_EQ(Feed(MakeLine(11, EVENT_MONITOR_OWNER, 2, 0xA, 9)),
            PAIRS_NONE);  // thread 2 is not blocked
  EXPECT_EQ(Feed(MakeLine(11, EVENT_MONITOR_OWNER, 1, 0xB, 9)),
            PAIRS_NONE);  // thread 1 is not blocked on B
  EXPECT_EQ(Feed(MakeLine(12, EVENT_MONITOR_OWNER, 1, 0xA, 5)), PAIRS_OWNER_KNOWN);
  EXPECT_EQ(pair_.begin, 10u);
  EXPECT_EQ(pair_.owner, 5u);
  EXPECT_TRUE(pair_.open);
  EXPECT_EQ(Feed(MakeLine(13, EVENT_MONITOR_OWNER, 1, 0xA, 6)), PAIRS_NONE);
  Feed(MakeLine(14, EVENT_MONITOR_OWNER, 1, 0xA));
  ASSERT_EQ(Feed(MakeLine(15, EVENT_MONITOR_CONTENDED_ENTERED, 1, 0xA)), PAIRS_DONE);
  EXPECT_EQ(pair_.owner, 5u);
  EXPECT_EQ(pair_.last_owner, 6u);
  EXPECT_EQ(Feed(MakeLine(16, EVENT_MONITOR_OWNER, 1, 0xA, 7)), PAIRS_NONE);  // the pair has ended
  EXPECT_EQ(pairs_.without_begin, 0u);
}

TEST_F(Pairs, MatchesEveryKindOfPair) {
  for (int kind = 0; kind + 1 < NUM_EVENTS; kind++) {
    if (event_infos[kind].role != ROLE_BEGIN) continue;
    EXPECT_EQ(Feed(MakeLine(1, static_cast<enum event_kind>(kind), 1, 7)), PAIRS_NONE);
    ASSERT_EQ(Feed(MakeLine(3, static_cast<enum event_kind>(kind + 1), 1, 7)), PAIRS_DONE);
    EXPECT_EQ(pair_.kind, kind);
  }
  EXPECT_EQ(pairs_.without_begin + pairs_.without_end, 0u);
}

TEST_F(Pairs, CountsEndsWithoutABegin) {
  EXPECT_EQ(Feed(MakeLine(10, EVENT_THREAD_SLEPT, 1)), PAIRS_NONE);
  Feed(MakeLine(11, EVENT_OBJECT_WAIT, 1, 0xA));
  EXPECT_EQ(Feed(MakeLine(12, EVENT_OBJECT_WAITED, 1, 0xB)), PAIRS_NONE);  // another object
  EXPECT_EQ(pairs_.without_begin, 2u);
  EXPECT_EQ(Feed(MakeLine(13, EVENT_OBJECT_WAITED, 1, 0xA)), PAIRS_DONE);
  EXPECT_EQ(Feed(MakeLine(14, EVENT_OBJECT_WAITED, 1, 0xA)), PAIRS_NONE);  // the second END
  EXPECT_EQ(pairs_.without_begin, 3u);
}

TEST_F(Pairs, CountsPairsWithoutAnEnd) {
  Feed(MakeLine(10, EVENT_THREAD_SLEEP, 1));
  Feed(MakeLine(20, EVENT_THREAD_SLEEP, 1));
  EXPECT_EQ(pairs_.without_end, 1u);
  ASSERT_EQ(Feed(MakeLine(21, EVENT_THREAD_SLEPT, 1)), PAIRS_DONE);
  EXPECT_EQ(pair_.begin, 20u);
}

// A fork/join task joins other tasks, which run inside of the join.
TEST_F(Pairs, MatchesNestedCallsOfTheSameKind) {
  const std::string join = "2;00000007;00000000;00000009;00000000",
                    inner =
                        "4;00000007;00000000;00000009;00000000;00000007;00000000;00000009;"
                        "00000000";
  Feed(AddStack(join, MakeLine(10, EVENT_TASK_JOIN, 1, 0xA)), 1);
  Feed(AddStack(inner, MakeLine(12, EVENT_TASK_JOIN, 1, 0xB)), 2);
  ASSERT_TRUE(pairs_find(&pairs_, 1, EVENT_TASK_JOIN, &pair_));
  EXPECT_EQ(pair_.object, 0xBu);
  ASSERT_EQ(Feed(AddStack(inner, MakeLine(15, EVENT_TASK_JOINED, 1, 0xB))), PAIRS_DONE);
  EXPECT_EQ(pair_.begin, 12u);
  EXPECT_EQ(pair_.stack, 2u);
  Feed(AddStack(inner, MakeLine(16, EVENT_TASK_JOIN, 1, 0xC)), 2);
  ASSERT_EQ(Feed(AddStack(inner, MakeLine(17, EVENT_TASK_JOIN_FAILED, 1, 0xC))), PAIRS_DONE);
  EXPECT_TRUE(pair_.failed);
  ASSERT_EQ(Feed(AddStack(join, MakeLine(20, EVENT_TASK_JOINED, 1, 0xA))), PAIRS_DONE);
  EXPECT_EQ(pair_.begin, 10u);
  EXPECT_FALSE(pair_.failed);
  EXPECT_FALSE(pairs_find(&pairs_, 1, EVENT_TASK_JOIN, &pair_));
  EXPECT_EQ(pairs_.without_begin + pairs_.without_end, 0u);
}

// The ENDs were dropped: the stack of the next event does not contain these calls.
TEST_F(Pairs, RemovesPairsThatTheNextStackDoesNotShow) {
  const std::string join = "2;00000007;00000000;00000009;00000000",
                    inner = "3;00000007;00000000;00000007;00000000;00000009;00000000";
  Feed(AddStack(join, MakeLine(10, EVENT_TASK_JOIN, 1, 0xA)));
  Feed(AddStack(inner, MakeLine(11, EVENT_TASK_JOIN, 1, 0xB)));
  Feed(AddStack(join, MakeLine(12, EVENT_TASK_JOIN, 1, 0xC)));
  EXPECT_EQ(pairs_.without_end, 2u);
  EXPECT_EQ(Feed(AddStack(join, MakeLine(13, EVENT_TASK_JOINED, 1, 0xA))), PAIRS_NONE);
  EXPECT_EQ(pairs_.without_begin, 1u);
}

TEST_F(Pairs, KeepsAPairOpenIfTheNextStackIsCut) {
  const std::string join = "2;00000007;00000000;00000009;00000000",
                    cut = "2;00000007;00000000;00000008;00000000";
  pairs_.depth = 2;
  Feed(AddStack(join, MakeLine(10, EVENT_TASK_JOIN, 1, 0xA)));
  Feed(AddStack(cut, MakeLine(11, EVENT_TASK_JOIN, 1, 0xB)));
  EXPECT_EQ(Feed(AddStack(cut, MakeLine(12, EVENT_TASK_JOINED, 1, 0xB))), PAIRS_DONE);
  EXPECT_EQ(Feed(AddStack(join, MakeLine(13, EVENT_TASK_JOINED, 1, 0xA))), PAIRS_DONE);
  EXPECT_EQ(pairs_.without_end, 0u);
}

TEST_F(Pairs, TheEndOfAPairRemovesThePairsInsideOfIt) {
  const std::string join = "2;00000007;00000000;00000009;00000000",
                    inner = "3;00000007;00000000;00000007;00000000;00000009;00000000";
  Feed(AddStack(join, MakeLine(10, EVENT_TASK_JOIN, 1, 0xA)));
  Feed(AddStack(inner, MakeLine(11, EVENT_TASK_JOIN, 1, 0xB)));
  ASSERT_EQ(Feed(AddStack(join, MakeLine(13, EVENT_TASK_JOINED, 1, 0xA))), PAIRS_DONE);
  EXPECT_EQ(pair_.begin, 10u);
  EXPECT_EQ(pairs_.without_end, 1u);
  size_t cursor = 0;
  EXPECT_FALSE(pairs_next_open(&pairs_, &cursor, &pair_));
}

TEST_F(Pairs, ListsTheOpenPairs) {
  Feed(MakeLine(10, EVENT_THREAD_SLEEP, 1));
  Feed(MakeLine(11, EVENT_THREAD_SLEEP, 2));
  Feed(MakeLine(12, EVENT_THREAD_SLEPT, 1));
  size_t cursor = 0;
  ASSERT_TRUE(pairs_next_open(&pairs_, &cursor, &pair_));
  EXPECT_EQ(pair_.thread, 2u);
  EXPECT_TRUE(pair_.open);
  EXPECT_FALSE(pairs_next_open(&pairs_, &cursor, &pair_));
}

TEST(LongestPairs, KeepsTheLongest) {
  struct longest l;
  ASSERT_TRUE(longest_start(&l, 10));
  for (ticks_t i = 0; i < 1000; i++) {
    struct pair pair = {};
    pair.begin = i;
    pair.end = i + (i * 389) % 1000;  // each length from 0 to 999 occurs once
    longest_add(&l, &pair);
  }
  longest_sort(&l);
  ASSERT_EQ(l.num, 10u);
  EXPECT_EQ(l.seen, 1000u);
  for (size_t i = 0; i < 10; i++) EXPECT_EQ(l.rows[i].end - l.rows[i].begin, 999 - i);
  longest_free(&l);
}

TEST(LongestPairs, PrefersTheEarlierOfEqualLengths) {
  struct longest l;
  ASSERT_TRUE(longest_start(&l, 2));
  for (ticks_t begin : {7, 3, 5, 9, 1}) {
    struct pair pair = {};
    pair.begin = begin;
    pair.end = begin + 1;
    longest_add(&l, &pair);
  }
  longest_sort(&l);
  ASSERT_EQ(l.num, 2u);
  EXPECT_EQ(l.rows[0].begin, 1u);
  EXPECT_EQ(l.rows[1].begin, 3u);
  longest_free(&l);
}

TEST(LongestPairs, CanBeEmpty) {
  struct longest l;
  ASSERT_TRUE(longest_start(&l, 2));
  longest_sort(&l);
  EXPECT_EQ(l.num, 0u);
  longest_free(&l);
}

}  // namespace
