#include "agent/meta/shapes.h"

#include <stdlib.h>

#include "gtest/gtest.h"
#include "tests/support/at_once.h"

namespace {

struct physical_key MakeKey(uint64_t n) {
  struct physical_key key = {1, 2};
  physical_add(&key, n);
  return key;
}

uintptr_t GetWord(struct shapes *s, uint64_t n) {
  struct physical_key key = MakeKey(n);
  return shapes_get(s, &key);
}

void PutWord(struct shapes *s, uint64_t n, uintptr_t word) {
  struct physical_key key = MakeKey(n);
  shapes_put(s, &key, word);
}

/* A table, which the agent itself never frees. */
class Shapes : public testing::Test {
 protected:
  ~Shapes() override { free(s_); }
  struct shapes *const s_ = shapes_new();
};

TEST_F(Shapes, FindsWhatWasPut) {
  EXPECT_EQ(GetWord(s_, 1), 0u);
  PutWord(s_, 1, 8);
  PutWord(s_, 2, 9);
  EXPECT_EQ(GetWord(s_, 1), 8u);
  EXPECT_EQ(GetWord(s_, 2), 9u);
  EXPECT_EQ(shapes_size(s_).entries, 2u);
  PutWord(s_, 1, 9);
  EXPECT_EQ(GetWord(s_, 1), 9u);
  EXPECT_EQ(shapes_size(s_).entries, 2u);
}

TEST_F(Shapes, ComparesTheWholeKey) {
  struct physical_key key = {5, 6}, like = {5, 7};
  shapes_put(s_, &key, 8);
  EXPECT_EQ(shapes_get(s_, &key), 8u);
  EXPECT_EQ(shapes_get(s_, &like), 0u);
}

TEST_F(Shapes, NeverGrow) {
  constexpr uint64_t kKeys = 200000;
  size_t found = 0, bytes = shapes_size(s_).bytes;
  for (uint64_t n = 1; n <= kKeys; n++) {
    PutWord(s_, n, n);
    ASSERT_EQ(GetWord(s_, n), n);
  }
  for (uint64_t n = 1; n <= kKeys; n++) {
    uintptr_t word = GetWord(s_, n);
    ASSERT_TRUE(word == 0 || word == n);
    found += word != 0;
  }
  EXPECT_EQ(shapes_size(s_).entries, found);
  EXPECT_GT(found, 10000u);
  EXPECT_LT(found, 20000u);
  EXPECT_EQ(shapes_size(s_).bytes, bytes);
}

TEST_F(Shapes, GiveNoWrongWordWhileThreadsReplaceEachOther) {
  constexpr uint64_t kKeys = 60000; /* more than there is room for */
  RunConcurrently(4, [&](int thread) {
    for (uint64_t i = 0; i < kKeys; i++) {
      uint64_t n = i * (2 * static_cast<uint64_t>(thread) + 1) % kKeys;
      PutWord(s_, n, n + 1);
      uintptr_t word = GetWord(s_, n * 7 % kKeys);
      ASSERT_TRUE(word == 0 || word == n * 7 % kKeys + 1);
    }
  });
}

}  // namespace
