#include "agent/monitor/blocked.h"

#include <atomic>
#include <set>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/at_once.h"

namespace {

// Pools are never freed; they stay reachable here.
struct blocked_pool *NewPool() {
  static auto &all = *new std::vector<struct blocked_pool *>;
  all.push_back(blocked_pool_new());
  return all.back();
}

void *Monitor(uintptr_t n) { return reinterpret_cast<void *>(n); }

// All three parties let go.
void LetGo(struct blocked *b) {
  blocked_end(b);
  blocked_watched(b, 0);
  blocked_take_owner(b);
}

TEST(Blocked, TheWatchSeesWhoBlocksOldestFirstAndOnce) {
  struct blocked_pool *pool = NewPool();
  EXPECT_EQ(blocked_watch(pool), nullptr);
  struct blocked *a = blocked_begin(pool, Monitor(1), 100),
                 *b = blocked_begin(pool, Monitor(2), 200);
  EXPECT_EQ(blocked_watch(pool), a);
  EXPECT_EQ(blocked_watch(pool), b);
  EXPECT_EQ(blocked_watch(pool), nullptr);
  EXPECT_EQ(blocked_monitor(b), Monitor(2));
  EXPECT_EQ(blocked_since_ns(b), 200u);
}

TEST(Blocked, IsOverWhenTheThreadHasTheMonitor) {
  struct blocked *b = blocked_begin(NewPool(), Monitor(1), 100);
  EXPECT_FALSE(blocked_is_over(b));
  blocked_end(b);
  EXPECT_TRUE(blocked_is_over(b));
  blocked_end(nullptr);  // allowed
}

TEST(Blocked, TheWriterGetsTheOwnerThatWasFound) {
  struct blocked *b = blocked_begin(NewPool(), Monitor(1), 100);
  blocked_watched(b, 0xB0);
  EXPECT_EQ(blocked_take_owner(b), 0xB0u);
}

TEST(Blocked, TheWriterDoesNotWaitForTheWatch) {
  struct blocked_pool *pool = NewPool();
  struct blocked *b = blocked_begin(pool, Monitor(1), 100);
  EXPECT_EQ(blocked_take_owner(b), 0u);
  blocked_watched(b, 0xB0);  // too late, and harmless
  blocked_end(b);
}

TEST(Blocked, ASlotBeginsWithoutTheOwnerOfTheLastOne) {
  struct blocked_pool *pool = NewPool();
  for (int i = 0; i < 10000; i++) {  // more than there are slots
    struct blocked *b = blocked_begin(pool, Monitor(1), 100);
    ASSERT_NE(b, nullptr);
    ASSERT_EQ(blocked_watch(pool), b);
    ASSERT_FALSE(blocked_is_over(b));
    blocked_end(b);
    blocked_watched(b, i % 2 == 0 ? 0xB0 : 0);
    ASSERT_EQ(blocked_take_owner(b), i % 2 == 0 ? 0xB0u : 0u);
  }
}

TEST(Blocked, WhenAllSlotsAreTakenThereIsNone) {
  struct blocked_pool *pool = NewPool();
  std::vector<struct blocked *> taken;
  for (struct blocked *b; (b = blocked_begin(pool, Monitor(1), 100)) != nullptr;)
    taken.push_back(b);
  EXPECT_EQ(taken.size(), 4096u);
  EXPECT_EQ(std::set<struct blocked *>(taken.begin(), taken.end()).size(), taken.size());
  for (struct blocked *b : taken) {
    EXPECT_EQ(blocked_watch(pool), b);
    LetGo(b);
  }
  EXPECT_NE(blocked_begin(pool, Monitor(1), 100), nullptr);
}

TEST(Blocked, ASlotIsTakenUntilAllThreeHaveLetGo) {
  struct blocked_pool *pool = NewPool();
  std::vector<struct blocked *> taken;
  for (struct blocked *b; (b = blocked_begin(pool, Monitor(1), 100)) != nullptr;)
    taken.push_back(b);
  for (struct blocked *b : taken) blocked_end(b);
  EXPECT_EQ(blocked_begin(pool, Monitor(1), 100), nullptr);
  for (struct blocked *b : taken) blocked_take_owner(b);
  EXPECT_EQ(blocked_begin(pool, Monitor(1), 100), nullptr);
  for (struct blocked *b : taken) {
    blocked_watch(pool);
    blocked_watched(b, 0);
  }
  EXPECT_NE(blocked_begin(pool, Monitor(1), 100), nullptr);
}

TEST(Blocked, ManyThreadsNeverShareASlot) {
  struct blocked_pool *pool = NewPool();
  const int kThreads = 4, kEach = 5000;
  std::atomic<int> running{kThreads}, wrong{0};
  AtOnce(kThreads + 1, [&](int i) {
    if (i < kThreads) {
      for (int n = 0; n < kEach; n++) {
        void *monitor = Monitor(static_cast<uintptr_t>(i * kEach + n + 1));
        struct blocked *b = blocked_begin(pool, monitor, 100);
        if (b == nullptr) continue;
        if (blocked_monitor(b) != monitor || blocked_is_over(b)) wrong++;
        blocked_end(b);
        uint32_t owner = blocked_take_owner(b);
        if (owner != 0 && owner != 0xB0) wrong++;
      }
      running--;
      return;
    }
    for (bool last = false; !last;) {
      last = running == 0;
      while (struct blocked *b = blocked_watch(pool)) blocked_watched(b, 0xB0);
    }
  });
  EXPECT_EQ(wrong, 0);
}

}  // namespace
