#include "agent/event/set_counts.h"

#include "gtest/gtest.h"

namespace {

int64_t CutCount(struct set_counts *c, enum event_kind kind, uint32_t object, int64_t count) {
  struct count_line line = {};
  line.kind = kind;
  line.object = object;
  line.count = count;
  EXPECT_TRUE(set_counts_subtract_before(c, &line));
  return line.count;
}

int64_t JoinCount(struct set_counts *c, enum event_kind kind, uint32_t object, int64_t count) {
  struct count_line line = {};
  line.kind = kind;
  line.object = object;
  line.count = count;
  EXPECT_TRUE(set_counts_add_before(c, &line));
  return line.count;
}

TEST(SetCounts, CountsFromTheStartOfTheSet) {
  struct set_counts c = {};
  EXPECT_EQ(CutCount(&c, EVENT_LOCK_ACQUIRED, 0xA, 3), 3);
  EXPECT_EQ(CutCount(&c, EVENT_LOCK_ACQUIRED, 0xA, 5), 5);
  EXPECT_EQ(CutCount(&c, EVENT_READ_LOCK_ACQUIRED, 0xA, 7), 7);
  ASSERT_TRUE(set_counts_next_set(&c));
  EXPECT_EQ(CutCount(&c, EVENT_LOCK_ACQUIRED, 0xA, 6), 1);
  EXPECT_EQ(CutCount(&c, EVENT_LOCK_ACQUIRED, 0xB, 2), 2);  // another object
  EXPECT_EQ(CutCount(&c, EVENT_LOCK_ACQUIRED, 0xA, 9), 4);
  ASSERT_TRUE(set_counts_next_set(&c));
  EXPECT_EQ(CutCount(&c, EVENT_LOCK_ACQUIRED, 0xA, 10), 1);
  EXPECT_EQ(CutCount(&c, EVENT_READ_LOCK_ACQUIRED, 0xA, 8), 1);  // no line in the set before
  set_counts_free(&c);
}

TEST(SetCounts, JoinUndoesCut) {
  struct set_counts cut = {}, join = {};
  for (int64_t count = 1; count < 100; count += 3) {
    EXPECT_EQ(
        JoinCount(&join, EVENT_LOCK_ACQUIRED, 0xA, CutCount(&cut, EVENT_LOCK_ACQUIRED, 0xA, count)),
        count);
    if (count % 4 != 0) continue;
    ASSERT_TRUE(set_counts_next_set(&cut));
    ASSERT_TRUE(set_counts_next_set(&join));
  }
  set_counts_free(&cut);
  set_counts_free(&join);
}

// The counts of two locks with the same hash alternate, so a count may decrease.
TEST(SetCounts, NoCountIsNegative) {
  struct set_counts c = {};
  CutCount(&c, EVENT_LOCK_ACQUIRED, 0xA, 1000);
  ASSERT_TRUE(set_counts_next_set(&c));
  EXPECT_EQ(CutCount(&c, EVENT_LOCK_ACQUIRED, 0xA, 7), 0);
  set_counts_free(&c);
}

TEST(SetCounts, JoinDoesNotOverflow) {
  struct set_counts c = {};
  JoinCount(&c, EVENT_LOCK_ACQUIRED, 0xA, INT64_MAX);
  ASSERT_TRUE(set_counts_next_set(&c));
  EXPECT_EQ(JoinCount(&c, EVENT_LOCK_ACQUIRED, 0xA, 5), INT64_MAX);
  set_counts_free(&c);
}

}  // namespace
