#include "tools/orca/model/base/tally.h"

#include "gtest/gtest.h"

namespace {

TEST(Tally, SumsByGroupAndKeyLargestFirst) {
  struct tally t = {};
  for (int round = 0; round < 2; round++) {
    EXPECT_TRUE(tally_add(&t, 2, 70, 1, 10));
    EXPECT_TRUE(tally_add(&t, 1, 70, 1, 3));
    EXPECT_TRUE(tally_add(&t, 2, UINT64_MAX, 1, 40));
    EXPECT_TRUE(tally_add(&t, 2, 0, 2, 0));
  }
  tally_sort(&t);
  size_t num;
  const struct tally_row *rows = tally_of(&t, 2, &num);
  ASSERT_EQ(num, 3u);
  EXPECT_EQ(rows[0].key, UINT64_MAX);
  EXPECT_EQ(rows[0].total, 80u);
  EXPECT_EQ(rows[1].key, 70u);
  EXPECT_EQ(rows[1].count, 2u);
  EXPECT_EQ(rows[2].key, 0u);
  EXPECT_EQ(rows[2].count, 4u);
  EXPECT_EQ(tally_best(&t, 2), UINT64_MAX);
  EXPECT_EQ(tally_best(&t, 1), 70u);
  EXPECT_EQ(tally_find(&t, 2, 70), &rows[1]);
  EXPECT_EQ(tally_find(&t, 2, 71), nullptr);
  EXPECT_EQ(tally_find(&t, 3, 70), nullptr);
  tally_free(&t);
}

TEST(Tally, KeepsTheLargestOfAKey) {
  struct tally t = {}, merged = {};
  for (uint64_t total : {3, 40, 7}) EXPECT_TRUE(tally_add(&t, 0, 70, 1, total));
  EXPECT_TRUE(tally_add(&t, 1, 70, 1, 45));
  tally_sort(&t);
  size_t num;
  EXPECT_EQ(tally_of(&t, 0, &num)->largest, 40u);
  const uint32_t ids[] = {5, 5};
  EXPECT_TRUE(tally_merge(&t, ids, &merged));
  tally_sort(&merged);
  EXPECT_EQ(tally_of(&merged, 5, &num)->total, 95u);
  EXPECT_EQ(tally_of(&merged, 5, &num)->largest, 45u);
  tally_free(&t);
  tally_free(&merged);
}

TEST(Tally, AddsSums) {
  struct tally t = {};
  EXPECT_TRUE(tally_add(&t, 0, 70, 1, 8));
  EXPECT_TRUE(tally_add_sum(&t, 0, 70, 100, 500, 9));
  tally_sort(&t);
  size_t num;
  EXPECT_EQ(tally_of(&t, 0, &num)->count, 101u);
  EXPECT_EQ(tally_of(&t, 0, &num)->total, 508u);
  EXPECT_EQ(tally_of(&t, 0, &num)->largest, 9u);
  tally_free(&t);
}

TEST(Tally, AMissingGroupIsEmpty) {
  struct tally t = {};
  tally_sort(&t);
  size_t num = 9;
  tally_of(&t, 0, &num);
  EXPECT_EQ(num, 0u);
  EXPECT_EQ(tally_best(&t, 3), 0u);
  tally_add(&t, UINT32_MAX, 5, 1, 1);
  tally_sort(&t);
  EXPECT_EQ(tally_best(&t, 3), 0u);
  EXPECT_EQ(tally_best(&t, UINT32_MAX), 5u);
  tally_free(&t);
}

TEST(Tally, SeparatesKeysWithEqualHashes) {
  struct tally t = {};
  const uint64_t spread = UINT64_C(0x9E3779B97F4A7C15);
  // Keys and groups whose hashes are equal.
  EXPECT_TRUE(tally_add(&t, 0, spread * 2 ^ 99, 1, 1));
  EXPECT_TRUE(tally_add(&t, 1, spread ^ 99, 1, 2));
  EXPECT_TRUE(tally_add(&t, 0, spread * 2 ^ 99, 1, 4));
  EXPECT_EQ(hashmap_size(&t.heads), 1u);
  tally_sort(&t);
  size_t num;
  EXPECT_EQ(tally_of(&t, 0, &num)->total, 5u);
  EXPECT_EQ(tally_of(&t, 1, &num)->total, 2u);
  tally_free(&t);
}

TEST(Tally, HoldsManyRows) {
  struct tally t = {};
  for (uint64_t i = 0; i < 10000; i++) tally_add(&t, i % 10, i / 10 % 100, 1, i);
  EXPECT_EQ(t.num, 1000u);
  tally_sort(&t);
  size_t num;
  for (uint32_t group = 0; group < 10; group++) {
    EXPECT_EQ(tally_of(&t, group, &num)[0].key, 99u);
    EXPECT_EQ(num, 100u);
  }
  tally_free(&t);
}

TEST(Tally, MergesGroups) {
  struct tally from = {}, into = {};
  const uint32_t ids[] = {7, 7, 8};
  EXPECT_TRUE(tally_add(&from, 0, 5, 1, 10) && tally_add(&from, 1, 5, 2, 20) &&
              tally_add(&from, 2, 5, 4, 40) && tally_merge(&from, ids, &into));
  tally_sort(&into);
  ASSERT_EQ(into.num, 2u);
  EXPECT_EQ(into.rows[0].group, 7u);
  EXPECT_EQ(into.rows[0].count, 3u);
  EXPECT_EQ(into.rows[0].total, 30u);
  EXPECT_EQ(into.rows[1].total, 40u);
  tally_free(&from);
  tally_free(&into);
}

}  // namespace
