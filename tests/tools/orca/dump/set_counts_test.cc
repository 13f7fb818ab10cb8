#include "tools/orca/dump/set_counts.h"

#include "gtest/gtest.h"

namespace {

// Returns the count since the start of the recording.
int64_t JoinCount(struct set_counts *c, enum event_kind kind, uint32_t object, int64_t count,
                  bool is_more = false) {
  struct count_line line = {};
  line.kind = kind;
  line.object = object;
  line.count = count;
  line.is_more = is_more;
  EXPECT_TRUE(set_counts_add_before(c, &line));
  EXPECT_FALSE(line.is_more);
  return line.count;
}

int64_t JoinMore(struct set_counts *c, enum event_kind kind, uint32_t object, int64_t count) {
  return JoinCount(c, kind, object, count, /* is_more */ true);
}

TEST(SetCounts, AddsLinesWithMoreEventsInAllSets) {
  struct set_counts c = {};
  EXPECT_EQ(JoinMore(&c, EVENT_LOCK_ACQUIRED, 0xA, 3), 3);
  EXPECT_EQ(JoinMore(&c, EVENT_LOCK_ACQUIRED, 0xA, 3), 6);
  EXPECT_EQ(JoinMore(&c, EVENT_READ_LOCK_ACQUIRED, 0xA, 7), 7);
  EXPECT_EQ(JoinMore(&c, EVENT_LOCK_ACQUIRED, 0xB, 2), 2);
  ASSERT_TRUE(set_counts_next_set(&c));
  EXPECT_EQ(JoinMore(&c, EVENT_LOCK_ACQUIRED, 0xA, 1), 7);
  EXPECT_EQ(JoinMore(&c, EVENT_READ_LOCK_ACQUIRED, 0xA, 1), 8);
  set_counts_free(&c);
}

TEST(SetCounts, AddsCountsOfSetsOfEarlierAgents) {
  struct set_counts c = {};
  EXPECT_EQ(JoinCount(&c, EVENT_LOCK_ACQUIRED, 0xA, 3), 3);
  EXPECT_EQ(JoinCount(&c, EVENT_LOCK_ACQUIRED, 0xA, 5), 5);
  EXPECT_EQ(JoinCount(&c, EVENT_READ_LOCK_ACQUIRED, 0xA, 7), 7);
  ASSERT_TRUE(set_counts_next_set(&c));
  EXPECT_EQ(JoinCount(&c, EVENT_LOCK_ACQUIRED, 0xA, 1), 6);
  EXPECT_EQ(JoinCount(&c, EVENT_LOCK_ACQUIRED, 0xB, 2), 2);  // another object
  EXPECT_EQ(JoinCount(&c, EVENT_LOCK_ACQUIRED, 0xA, 4), 9);
  ASSERT_TRUE(set_counts_next_set(&c));
  EXPECT_EQ(JoinCount(&c, EVENT_LOCK_ACQUIRED, 0xA, 1), 10);
  EXPECT_EQ(JoinCount(&c, EVENT_READ_LOCK_ACQUIRED, 0xA, 1), 8);  // no line in the set before
  set_counts_free(&c);
}

TEST(SetCounts, JoinDoesNotOverflow) {
  struct set_counts c = {};
  JoinCount(&c, EVENT_LOCK_ACQUIRED, 0xA, INT64_MAX);
  EXPECT_EQ(JoinMore(&c, EVENT_LOCK_ACQUIRED, 0xA, 5), INT64_MAX);
  ASSERT_TRUE(set_counts_next_set(&c));
  EXPECT_EQ(JoinCount(&c, EVENT_LOCK_ACQUIRED, 0xA, 5), INT64_MAX);
  set_counts_free(&c);
}

}  // namespace
