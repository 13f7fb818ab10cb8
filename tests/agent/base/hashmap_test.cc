#include "agent/base/hashmap.h"

#include <map>
#include <random>

#include "gtest/gtest.h"

namespace {

TEST(Hashmap, IsEmptyAtFirst) {
  struct hashmap m = {};
  struct hashmap_slot slot;
  uint64_t value = 7;
  size_t cursor = 0;
  EXPECT_FALSE(hashmap_get(&m, 0, &value));
  EXPECT_FALSE(hashmap_get(&m, 1, &value));
  EXPECT_EQ(value, 7u);
  EXPECT_FALSE(hashmap_next(&m, &cursor, &slot));
  EXPECT_EQ(hashmap_size(&m), 0u);
  hashmap_free(&m);
}

TEST(Hashmap, AcceptsEveryKey) {
  struct hashmap m = {};
  for (uint64_t key : {UINT64_C(0), UINT64_C(1), UINT64_MAX, UINT64_C(1) << 63}) {
    EXPECT_TRUE(hashmap_put(&m, key, key + 5));
    uint64_t value = 0;
    EXPECT_TRUE(hashmap_get(&m, key, &value));
    EXPECT_EQ(value, key + 5);
  }
  EXPECT_EQ(hashmap_size(&m), 4u);
  hashmap_free(&m);
}

TEST(Hashmap, AtAddsNewKeysWithValueZero) {
  struct hashmap m = {};
  ++*hashmap_at(&m, 42);
  ++*hashmap_at(&m, 42);
  ++*hashmap_at(&m, 0);
  EXPECT_EQ(*hashmap_at(&m, 42), 2u);
  EXPECT_EQ(*hashmap_at(&m, 0), 1u);
  EXPECT_EQ(hashmap_size(&m), 2u);
  hashmap_free(&m);
}

// A lookup of an existing key moves nothing, also when the next new key would make the map grow.
TEST(Hashmap, PointersAreValidUntilTheNextNewKey) {
  struct hashmap m = {};
  for (uint64_t key = 1; key <= 100; key++) {
    uint64_t *pointer = hashmap_at(&m, key);
    for (uint64_t old = 1; old <= key; old++) hashmap_at(&m, old);
    EXPECT_EQ(hashmap_at(&m, key), pointer);
  }
  hashmap_free(&m);
}

TEST(Hashmap, PutReplacesTheValue) {
  struct hashmap m = {};
  hashmap_put(&m, 3, 1);
  hashmap_put(&m, 3, 2);
  EXPECT_EQ(*hashmap_at(&m, 3), 2u);
  EXPECT_EQ(hashmap_size(&m), 1u);
  hashmap_free(&m);
}

TEST(Hashmap, FreeLeavesAnEmptyMap) {
  struct hashmap m = {};
  hashmap_put(&m, 0, 1);
  hashmap_put(&m, 9, 1);
  hashmap_free(&m);
  uint64_t value;
  EXPECT_FALSE(hashmap_get(&m, 0, &value));
  EXPECT_FALSE(hashmap_get(&m, 9, &value));
}

TEST(Hashmap, DropsKeysWithTheValueZero) {
  struct hashmap m = {};
  for (uint64_t key = 0; key < 1000; key++) hashmap_put(&m, key, key % 100 == 0 ? key + 1 : 0);
  size_t bytes = hashmap_bytes(&m);
  hashmap_drop_zeros(&m);
  EXPECT_EQ(hashmap_size(&m), 10u);
  EXPECT_LT(hashmap_bytes(&m), bytes);
  uint64_t value = 0;
  EXPECT_TRUE(hashmap_get(&m, 0, &value));
  EXPECT_EQ(value, 1u);
  EXPECT_TRUE(hashmap_get(&m, 900, &value));
  EXPECT_EQ(value, 901u);
  EXPECT_FALSE(hashmap_get(&m, 901, &value));
  hashmap_free(&m);
}

// Uses the kinds of keys that Orca uses: small numbers, hashes, and pairs of numbers.
TEST(Hashmap, BehavesLikeStdMap) {
  std::mt19937_64 random(1);
  std::map<uint64_t, uint64_t> model;
  struct hashmap m = {};
  for (int i = 0; i < 200000; i++) {
    uint64_t low = random() % 1000, key = i % 3 == 0 ? low : i % 3 == 1 ? random() : low << 32 | 7;
    model[key] = static_cast<uint64_t>(i);
    ASSERT_TRUE(hashmap_put(&m, key, static_cast<uint64_t>(i)));
  }
  EXPECT_EQ(hashmap_size(&m), model.size());
  for (const auto &[key, expected] : model) {
    uint64_t value = 0;
    ASSERT_TRUE(hashmap_get(&m, key, &value));
    EXPECT_EQ(value, expected);
  }
  std::map<uint64_t, uint64_t> iterated;
  struct hashmap_slot slot;
  for (size_t cursor = 0; hashmap_next(&m, &cursor, &slot);) iterated[slot.key] = slot.value;
  EXPECT_EQ(iterated, model);
  hashmap_free(&m);
}

}  // namespace
