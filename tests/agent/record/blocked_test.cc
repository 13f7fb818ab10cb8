#include "agent/record/blocked.h"

#include <atomic>
#include <set>
#include <vector>

#include "agent/base/clock.h"
#include "gtest/gtest.h"
#include "tests/support/at_once.h"

namespace {

// Pools are never freed. The vector keeps them reachable for leak checkers.
struct blocked_pool *NewPool() {
  static auto &all = *new std::vector<struct blocked_pool *>;
  all.push_back(blocked_pool_new());
  return all.back();
}

void *MakeMonitor(uintptr_t n) { return reinterpret_cast<void *>(n); }

struct blocked *Begin(struct blocked_pool *pool, uintptr_t monitor = 1, uint64_t since_ns = 100) {
  struct blocked_on on = {MakeMonitor(monitor), 0xA, 0x10, since_ns};
  return blocked_begin(pool, &on);
}

// Releases all three parties.
void ReleaseAll(struct blocked *b) {
  blocked_end(b);
  blocked_release(b);
  blocked_take_owner(b);
}

TEST(Blocked, WatchReturnsEachSlotOnceOldestFirst) {
  struct blocked_pool *pool = NewPool();
  EXPECT_EQ(blocked_take_unseen(pool), nullptr);
  struct blocked *a = Begin(pool), *b = Begin(pool, 2, 200);
  EXPECT_EQ(blocked_take_unseen(pool), a);
  EXPECT_EQ(blocked_take_unseen(pool), b);
  EXPECT_EQ(blocked_take_unseen(pool), nullptr);
  EXPECT_EQ(blocked_on(b)->monitor, MakeMonitor(2));
  EXPECT_EQ(blocked_on(b)->thread, 0xAu);
  EXPECT_EQ(blocked_on(b)->hash, 0x10u);
  EXPECT_EQ(blocked_on(b)->since_ns, 200u);
}

TEST(Blocked, IsOverAfterBlockedEnd) {
  struct blocked *b = Begin(NewPool());
  uint64_t before = clock_monotonic_ns();
  EXPECT_FALSE(blocked_is_over(b));
  EXPECT_FALSE(blocked_was_over(b, before));
  blocked_end(b);
  EXPECT_TRUE(blocked_is_over(b));
  EXPECT_FALSE(blocked_was_over(b, before));
  EXPECT_TRUE(blocked_was_over(b, clock_monotonic_ns()));
  blocked_end(nullptr);  // allowed
}

TEST(Blocked, WriterGetsTheAnswer) {
  struct blocked *b = Begin(NewPool());
  EXPECT_TRUE(blocked_set_owner(b, 0xB0));
  EXPECT_EQ(blocked_take_owner(b), 0xB0u);
}

TEST(Blocked, WriterDoesNotWaitForTheWatch) {
  struct blocked_pool *pool = NewPool();
  struct blocked *b = Begin(pool);
  EXPECT_EQ(blocked_take_owner(b), 0u);
  EXPECT_FALSE(blocked_set_owner(b, 0xB0));  // too late
  blocked_release(b);
  blocked_end(b);
}

TEST(Blocked, AReusedSlotHasNoOwner) {
  struct blocked_pool *pool = NewPool();
  for (int i = 0; i < 10000; i++) {  // more than the pool has slots
    struct blocked *b = Begin(pool);
    ASSERT_NE(b, nullptr);
    ASSERT_EQ(blocked_take_unseen(pool), b);
    ASSERT_FALSE(blocked_is_over(b));
    blocked_end(b);
    if (i % 2 == 0) blocked_set_owner(b, 0xB0);
    blocked_release(b);
    ASSERT_EQ(blocked_take_owner(b), i % 2 == 0 ? 0xB0u : 0u);
  }
}

TEST(Blocked, BeginFailsWhenAllSlotsAreUsed) {
  struct blocked_pool *pool = NewPool();
  std::vector<struct blocked *> used;
  for (struct blocked *b; (b = Begin(pool)) != nullptr;) used.push_back(b);
  EXPECT_EQ(used.size(), 4096u);
  EXPECT_EQ(std::set<struct blocked *>(used.begin(), used.end()).size(), used.size());
  for (struct blocked *b : used) {
    EXPECT_EQ(blocked_take_unseen(pool), b);
    ReleaseAll(b);
  }
  EXPECT_NE(Begin(pool), nullptr);
}

TEST(Blocked, ASlotIsUsedUntilAllPartiesReleaseIt) {
  struct blocked_pool *pool = NewPool();
  std::vector<struct blocked *> used;
  for (struct blocked *b; (b = Begin(pool)) != nullptr;) used.push_back(b);
  for (struct blocked *b : used) blocked_end(b);
  EXPECT_EQ(Begin(pool), nullptr);
  for (struct blocked *b : used) blocked_take_owner(b);
  EXPECT_EQ(Begin(pool), nullptr);
  for (struct blocked *b : used) {
    blocked_take_unseen(pool);
    blocked_release(b);
  }
  EXPECT_NE(Begin(pool), nullptr);
}

TEST(Blocked, ShareAddsAParty) {
  struct blocked_pool *pool = NewPool();
  struct blocked *first = Begin(pool);
  blocked_add_party(first);
  ReleaseAll(first);
  size_t num_others = 0;
  for (struct blocked *b; (b = Begin(pool)) != nullptr; num_others++) EXPECT_NE(b, first);
  EXPECT_EQ(num_others, 4095u);
  blocked_release(first);
  struct blocked *again = nullptr;  // one call looks at only a few slots
  for (int i = 0; i < 4096 && again == nullptr; i++) again = Begin(pool);
  EXPECT_EQ(again, first);
}

TEST(Blocked, ConcurrentThreadsGetDifferentSlots) {
  struct blocked_pool *pool = NewPool();
  const int kThreads = 4, kEach = 5000;
  std::atomic<int> running{kThreads}, errors{0};
  RunConcurrently(kThreads + 1, [&](int i) {
    if (i < kThreads) {
      for (int n = 0; n < kEach; n++) {
        void *monitor = MakeMonitor(static_cast<uintptr_t>(i * kEach + n + 1));
        struct blocked *b = Begin(pool, static_cast<uintptr_t>(i * kEach + n + 1));
        if (b == nullptr) continue;
        if (blocked_on(b)->monitor != monitor || blocked_is_over(b)) errors++;
        blocked_end(b);
        uint32_t owner = blocked_take_owner(b);
        if (owner != 0 && owner != 0xB0) errors++;
      }
      running--;
      return;
    }
    for (bool last = false; !last;) {
      last = running == 0;
      while (struct blocked *b = blocked_take_unseen(pool)) {
        blocked_set_owner(b, 0xB0);
        blocked_release(b);
      }
    }
  });
  EXPECT_EQ(errors, 0);
}

}  // namespace
