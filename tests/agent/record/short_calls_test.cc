#include "agent/record/short_calls.h"

#include <atomic>
#include <map>
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

}  // namespace
