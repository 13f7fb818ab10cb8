#include "tools/orca/model/state/holds.h"

#include "gtest/gtest.h"

namespace {

class Holds : public testing::Test {
 protected:
  ~Holds() override { holds_free(&holds_); }

  void Acquire(uint64_t lock, uint32_t thread, ticks_t now, unsigned sort = 0) {
    EXPECT_TRUE(holds_acquire(&holds_, lock, sort, thread, now, thread + 70));
  }
  ticks_t Release(uint64_t lock, uint32_t thread, ticks_t now) {
    return holds_release(&holds_, holds_find(&holds_, lock, 0, thread), now);
  }

  struct holds holds_ = {};
};

TEST_F(Holds, LastsFromAcquisitionToRelease) {
  Acquire(0xA, 1, 10);
  const struct hold *hold = holds_find(&holds_, 0xA, 0, 1);
  ASSERT_NE(hold, nullptr);
  EXPECT_EQ(hold->times, 1u);
  EXPECT_EQ(hold->stack, 71u);
  EXPECT_EQ(holds_time(hold, 13), 3u);
  EXPECT_EQ(Release(0xA, 1, 25), 15u);
  EXPECT_EQ(holds_find(&holds_, 0xA, 0, 1), nullptr);
  EXPECT_EQ(holds_of_lock(&holds_, 0xA), nullptr);
  EXPECT_EQ(holds_of_thread(&holds_, 1), nullptr);
}

TEST_F(Holds, CountsFurtherAcquisitions) {
  Acquire(0xA, 1, 10);
  Acquire(0xA, 1, 11);
  EXPECT_EQ(holds_find(&holds_, 0xA, 0, 1)->times, 2u);
  EXPECT_EQ(holds_find(&holds_, 0xA, 0, 1)->since, 10u);
  Acquire(0xA, 1, 12, 1);  // of another sort
  EXPECT_EQ(holds_find(&holds_, 0xA, 1, 1)->times, 1u);
}

TEST_F(Holds, ExcludesTheTimeOfWaits) {
  Acquire(0xA, 1, 10);
  struct hold *hold = holds_find(&holds_, 0xA, 0, 1);
  holds_pause(hold, 14);
  EXPECT_TRUE(hold->away);
  EXPECT_EQ(holds_time(hold, 90), 4u);
  holds_resume(hold, 100);
  EXPECT_EQ(holds_time(hold, 101), 5u);
  EXPECT_EQ(Release(0xA, 1, 103), 7u);
}

TEST_F(Holds, ListsTheHoldsOfALockAndOfAThread) {
  Acquire(0xA, 1, 10);
  Acquire(0xB, 1, 11);
  Acquire(0xA, 2, 12);
  Acquire(0xA, 3, 13);
  Release(0xA, 2, 20);
  const struct hold *hold = holds_of_lock(&holds_, 0xA);
  ASSERT_NE(hold, nullptr);
  EXPECT_EQ(hold->thread, 3u);
  hold = holds_next_of_lock(&holds_, hold);
  ASSERT_NE(hold, nullptr);
  EXPECT_EQ(hold->thread, 1u);
  EXPECT_EQ(holds_next_of_lock(&holds_, hold), nullptr);
  hold = holds_of_thread(&holds_, 1);
  ASSERT_NE(hold, nullptr);
  EXPECT_EQ(hold->lock, 0xBu);
  EXPECT_EQ(holds_next_of_thread(&holds_, hold)->lock, 0xAu);
  Release(0xA, 1, 21);
  EXPECT_EQ(holds_next_of_thread(&holds_, holds_of_thread(&holds_, 1)), nullptr);
}

TEST_F(Holds, ListsAllHoldsAndReusesSlots) {
  for (uint32_t thread = 1; thread <= 1000; thread++) {
    Acquire(0xA, thread, thread);
    if (thread > 2) Release(0xA, thread, thread + 1);
  }
  EXPECT_EQ(holds_.num, 3u);
  size_t cursor = 0, num = 0;
  for (const struct hold *hold; (hold = holds_next(&holds_, &cursor)) != nullptr; num++) {
    EXPECT_LE(hold->thread, 2u);
  }
  EXPECT_EQ(num, 2u);
}

// Thread 7 holds many locks, and lock 9999 has many holders.
TEST_F(Holds, FindsAHoldAmongManyLocksAndManyHolders) {
  for (uint64_t i = 1; i <= 1000; i++) {
    EXPECT_TRUE(holds_acquire(&holds_, i, 0, 7, i, 0));
    EXPECT_TRUE(holds_acquire(&holds_, 9999, 0, static_cast<uint32_t>(i + 10), i, 0));
  }
  EXPECT_TRUE(holds_acquire(&holds_, 9999, 1, 7, 1, 0));
  for (uint64_t i = 1; i <= 1000; i++) {
    EXPECT_EQ(holds_find(&holds_, i, 0, 7)->since, i);
    EXPECT_EQ(holds_find(&holds_, 9999, 0, static_cast<uint32_t>(i + 10))->since, i);
  }
  EXPECT_EQ(holds_find(&holds_, 9999, 1, 7)->since, 1u);
  EXPECT_EQ(holds_find(&holds_, 9999, 0, 7), nullptr);
  EXPECT_EQ(holds_find(&holds_, 1001, 0, 7), nullptr);
  EXPECT_EQ(holds_find(&holds_, 1, 0, 8), nullptr);
}

}  // namespace
