#include "agent/record/short_calls.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/at_once.h"

namespace {

struct Total {
  uint64_t calls = 0, ns = 0, longest = 0;
};

struct short_calls *NewShortCalls() {
  static auto &all = *new std::vector<struct short_calls *>;  // never freed, as in the agent
  all.push_back(short_calls_new());
  return all.back();
}

class ShortCalls : public testing::Test {
 protected:
  void Add(uint32_t object, uint64_t ns, uint32_t recording = 1) {
    struct short_key key = {};
    key.kind = EVENT_SEMAPHORE_ACQUIRE;
    key.object = object;
    short_calls_add(calls_, thread_, recording, &key, ns);
  }
  void Take(uint32_t recording = 1) {
    short_calls_take(
        calls_, recording,
        [](void *arg, struct short_sum *sum) {
          Total &t = (*static_cast<std::map<uint32_t, Total> *>(arg))[sum->key.object];
          t.calls += sum->calls;
          t.ns += sum->total_ns;
          if (sum->longest_ns > t.longest) t.longest = sum->longest_ns;
        },
        &totals_);
  }

  struct short_calls *calls_ = NewShortCalls();
  std::map<uint32_t, Total> totals_;
  static thread_local uint32_t thread_;
};

thread_local uint32_t ShortCalls::thread_ = 0;

TEST_F(ShortCalls, HandsOverWhatThreadsAdded) {
  Add(7, 30);
  Add(7, 10);
  Add(8, 5);
  Take();
  EXPECT_EQ(totals_[7].calls, 2u);
  EXPECT_EQ(totals_[7].ns, 40u);
  EXPECT_EQ(totals_[7].longest, 30u);
  EXPECT_EQ(totals_[8].calls, 1u);
  totals_.clear();
  Take();
  EXPECT_TRUE(totals_.empty());
}

TEST_F(ShortCalls, BelongToARecording) {
  Add(7, 30);
  Take(2);
  EXPECT_TRUE(totals_.empty()) << "sums of an earlier recording";
  Add(8, 30, 1);
  Add(9, 30, 2);
  Take(2);
  EXPECT_EQ(totals_.size(), 1u);
  EXPECT_EQ(totals_[9].calls, 1u);
}

TEST_F(ShortCalls, GiveWayToALaterRecording) {
  Add(7, 30, 1);
  Add(8, 30, 2);
  Add(9, 30, 1);
  Take(1);
  EXPECT_TRUE(totals_.empty());
  Take(2);
  EXPECT_EQ(totals_.size(), 1u);
  EXPECT_EQ(totals_[8].calls, 1u);
}

// More threads than tables, and all of them on the same object, while another thread takes.
TEST_F(ShortCalls, LosesNoCallOfManyThreads) {
  constexpr int kThreads = 70, kTimes = 2000;
  std::atomic<bool> is_over{false};
  std::thread taker([&] {
    while (!is_over) Take();
  });
  RunConcurrently(kThreads, [&](int thread) {
    thread_ = static_cast<uint32_t>(thread / 2); /* two threads have the same number */
    for (int i = 0; i < kTimes; i++) Add(i % 2 == 0 ? 7 : 100 + static_cast<uint32_t>(thread), 3);
  });
  is_over = true;
  taker.join();
  Take();
  uint64_t calls = 0, ns = 0;
  for (const auto &[object, total] : totals_) {
    calls += total.calls;
    ns += total.ns;
  }
  EXPECT_EQ(calls, uint64_t{kThreads} * kTimes);
  EXPECT_EQ(ns, uint64_t{kThreads} * kTimes * 3);
  EXPECT_EQ(totals_[7].calls, uint64_t{kThreads} * kTimes / 2);
}

// --- sums ------------------------------------------------------------------------------------

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
