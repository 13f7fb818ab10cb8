#include "agent/record/short_sums.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace {

constexpr uint32_t kObjectSets = 4, kStackSets = 2;

class ShortSums : public testing::Test {
 protected:
  ShortSums() { short_sums_init(&sums_, rows_, kObjectSets, kStackSets); }

  void Add(uint32_t object, uint64_t calls = 1, uint64_t total = 10, uint64_t longest = 10,
           int stack = 1, enum event_kind kind = EVENT_OBJECT_WAIT) {
    struct short_sum sum = {};
    sum.key.kind = kind;
    sum.key.object = object;
    sum.key.class_id = object == 0 ? 0 : 0xC;
    sum.key.stack = Stack(stack);
    sum.calls = calls;
    sum.total_ns = total;
    sum.longest_ns = longest;
    short_sums_add(&sums_, &sum);
  }
  // Stacks are only compared.
  static struct stack *Stack(int number) {
    return reinterpret_cast<struct stack *>(static_cast<uintptr_t>(number) * 64);
  }
  std::vector<struct short_sum> Take() {
    std::vector<struct short_sum> all;
    short_sums_take(
        &sums_,
        [](void *arg, struct short_sum *s) {
          static_cast<std::vector<struct short_sum> *>(arg)->push_back(*s);
        },
        &all);
    return all;
  }

  struct short_sum rows_[(kObjectSets + kStackSets) * SHORT_WAYS] = {};
  struct short_sums sums_;
};

TEST_F(ShortSums, AddsUpCallsOfTheSameKindObjectAndStack) {
  Add(7, 1, 10, 10);
  Add(7, 2, 50, 30);
  Add(7, 1, 1, 1);
  std::vector<struct short_sum> all = Take();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].key.object, 7u);
  EXPECT_EQ(all[0].key.class_id, 0xCu);
  EXPECT_EQ(all[0].key.stack, Stack(1));
  EXPECT_EQ(all[0].calls, 4u);
  EXPECT_EQ(all[0].total_ns, 61u);
  EXPECT_EQ(all[0].longest_ns, 30u);
  EXPECT_TRUE(Take().empty());
}

TEST_F(ShortSums, KeepsApartWhatDiffers) {
  Add(7);
  Add(8);
  Add(0);
  Add(7, 1, 10, 10, 2);
  Add(7, 1, 10, 10, 1, EVENT_THREAD_JOIN);
  Add(0, 1, 10, 10, 0);
  EXPECT_EQ(Take().size(), 6u);
}

// The object with many calls stays, whatever comes before and after it.
TEST_F(ShortSums, WithoutRoomTheRowsWithFewCallsLoseTheirObject) {
  constexpr uint32_t kObjects = 1000;
  for (uint32_t object = 1; object <= kObjects; object++) Add(object);
  for (uint32_t object = 1; object <= kObjects; object++) {
    Add(4711, 1, 1, 1);
    Add(4711, 1, 2, 2);
    Add(object + 10000);
  }
  uint64_t calls = 0, total = 0;
  bool has_busy = false;
  for (const struct short_sum &sum : Take()) {
    calls += sum.calls;
    total += sum.total_ns;
    EXPECT_EQ(sum.key.stack, Stack(1));
    has_busy |= sum.key.object == 4711;
    if (sum.key.object == 4711) {
      EXPECT_EQ(sum.calls, 2u * kObjects);
      EXPECT_EQ(sum.total_ns, 3u * kObjects);
    }
    if (sum.key.object == 0) {
      EXPECT_EQ(sum.key.class_id, 0u);
      EXPECT_GE(sum.calls, 2 * kObjects - kObjectSets * SHORT_WAYS);
    }
  }
  EXPECT_TRUE(has_busy);
  EXPECT_EQ(calls, 4u * kObjects);
  EXPECT_EQ(total, 23u * kObjects);
}

TEST_F(ShortSums, KeepsTheObjectsWithTheLongestTimes) {
  for (uint32_t object = 1; object <= 5; object++) Add(object, 10 - object, object * 100, 50);
  short_sums_keep_objects(&sums_, 2);
  uint64_t calls = 0, total = 0;
  std::vector<uint32_t> objects;
  for (const struct short_sum &sum : Take()) {
    objects.push_back(sum.key.object);
    calls += sum.calls;
    total += sum.total_ns;
    if (sum.key.object == 0) {
      EXPECT_EQ(sum.calls, 9u + 8 + 7);
    }
  }
  std::sort(objects.begin(), objects.end());
  EXPECT_EQ(objects, (std::vector<uint32_t>{0, 4, 5}));
  EXPECT_EQ(calls, 35u);
  EXPECT_EQ(total, 1500u);
}

TEST_F(ShortSums, WithoutRoomForStacksOnlyTheKindIsLeft) {
  constexpr int kStacks = 500;
  uint64_t calls = 0, without_stack = 0;
  for (int stack = 1; stack <= kStacks; stack++) Add(0, 1, 10, 10, stack);
  std::vector<struct short_sum> all = Take();
  EXPECT_LE(all.size(), kStackSets * SHORT_WAYS + 1u);
  for (const struct short_sum &sum : all) {
    calls += sum.calls;
    if (sum.key.stack == nullptr) without_stack += sum.calls;
  }
  EXPECT_EQ(calls, uint64_t{kStacks});
  EXPECT_GE(without_stack, uint64_t{kStacks} - kStackSets * SHORT_WAYS);
}

}  // namespace
