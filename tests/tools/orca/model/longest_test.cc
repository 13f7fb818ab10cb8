#include "tools/orca/model/longest.h"

#include "gtest/gtest.h"

namespace {

TEST(Longest, KeepsTheLongest) {
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

TEST(Longest, PrefersTheEarlierOfEqualLengths) {
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

TEST(Longest, CanBeEmpty) {
  struct longest l;
  ASSERT_TRUE(longest_start(&l, 2));
  longest_sort(&l);
  EXPECT_EQ(l.num, 0u);
  longest_free(&l);
}

}  // namespace
