#include "tools/orca/causal/whatif/heap.h"

#include <algorithm>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace {

TEST(Heap, GivesBackTheLeastKeyFirst) {
  struct heap h = {};
  std::mt19937 random(7);
  std::vector<double> keys;
  for (uint32_t i = 0; i < 1000; i++) {
    keys.push_back(random() % 500);
    ASSERT_TRUE(heap_add(&h, keys.back(), i));
  }
  std::vector<double> sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  for (double key : sorted) EXPECT_EQ(keys[heap_take(&h)], key);
  EXPECT_EQ(h.num, 0u);
  heap_free(&h);
}

TEST(Heap, EqualKeysStayInOrder) {
  struct heap h = {};
  for (uint32_t i = 0; i < 20; i++) ASSERT_TRUE(heap_add(&h, 1, i));
  for (uint32_t i = 0; i < 20; i++) EXPECT_EQ(heap_take(&h), i);
  heap_free(&h);
}

}  // namespace
