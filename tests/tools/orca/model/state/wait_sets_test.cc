#include "tools/orca/model/state/wait_sets.h"

#include "gtest/gtest.h"

namespace {

class WaitSets : public testing::Test {
 protected:
  ~WaitSets() override { wait_sets_free(&sets_); }

  void BeginWait(uint32_t thread, uint64_t key = 1, bool in_turn = true) {
    EXPECT_TRUE(wait_sets_begin(&sets_, key, thread, 10 * thread, in_turn));
  }
  uint64_t SendSignal(uint64_t key, bool all, size_t mark) {
    struct wake_signal signal = {1, 99, EVENT_OBJECT_NOTIFY, mark};
    return wait_sets_signal(&sets_, key, all, &signal);
  }
  // Returns the mark of the signal that the wait got, 0 if none; -1 if the thread did not wait.
  int EndWait(uint32_t thread, uint64_t key = 1) {
    const struct wait_slot *wait = wait_sets_end(&sets_, key, thread);
    if (wait == nullptr) return -1;
    EXPECT_EQ(wait->thread, thread);
    EXPECT_EQ(wait->since, 10 * thread);
    EXPECT_EQ(wait->is_signaled, wait->signal.thread == 99);
    return static_cast<int>(wait->signal.mark);
  }
  size_t CountWaits() {
    size_t num = 0;
    for (size_t cursor = 0; wait_sets_next(&sets_, &cursor) != nullptr;) num++;
    return num;
  }

  struct wait_sets sets_ = {};
};

TEST_F(WaitSets, ASignalToOneWakesTheOldest) {
  for (uint32_t thread : {1, 2, 3}) BeginWait(thread);
  EXPECT_EQ(SendSignal(1, false, 7), 1u);
  EXPECT_EQ(SendSignal(1, false, 8), 1u);
  EXPECT_EQ(EndWait(2), 8);
  EXPECT_EQ(EndWait(1), 7);
  EXPECT_EQ(EndWait(3), 0);
  EXPECT_EQ(EndWait(3), -1);
}

TEST_F(WaitSets, ASignalToAllWakesTheRemainingWaitersOfItsKey) {
  for (uint32_t thread : {1, 2, 3}) BeginWait(thread);
  BeginWait(4, 2);
  EXPECT_EQ(SendSignal(1, false, 6), 1u);
  EXPECT_EQ(SendSignal(1, true, 7), 2u);
  EXPECT_EQ(SendSignal(1, true, 8), 0u);
  EXPECT_EQ(SendSignal(99, true, 9), 0u);
  EXPECT_EQ(CountWaits(), 4u);
  EXPECT_EQ(EndWait(1), 6);
  EXPECT_EQ(EndWait(2), 7);
  EXPECT_EQ(EndWait(3), 7);
  EXPECT_EQ(EndWait(4, 2), 0);
  EXPECT_EQ(CountWaits(), 0u);
}

TEST_F(WaitSets, AWaitThatEndsLeavesItsSet) {
  for (uint32_t thread : {1, 2, 3}) BeginWait(thread);
  EXPECT_EQ(EndWait(2), 0);
  EXPECT_EQ(SendSignal(1, true, 5), 2u);
  BeginWait(2);
  EXPECT_EQ(EndWait(2), 0);
  EXPECT_EQ(EndWait(3), 5);
}

TEST_F(WaitSets, TheEndOfAWaitEndsTheWaitsInsideOfIt) {
  BeginWait(1);
  BeginWait(1, 2);
  BeginWait(1, 3);
  EXPECT_EQ(EndWait(1, 1), 0);  // the ends of the other two are missing
  EXPECT_EQ(CountWaits(), 0u);
  EXPECT_EQ(SendSignal(2, true, 5), 0u);
  EXPECT_EQ(EndWait(1, 2), -1);
}

TEST_F(WaitSets, AWaitOutsideOfItsSetGetsNoSignal) {
  BeginWait(1, 1, false);
  BeginWait(2);
  EXPECT_EQ(SendSignal(1, true, 5), 1u);
  EXPECT_EQ(EndWait(1), 0);
  EXPECT_EQ(EndWait(2), 5);
}

TEST_F(WaitSets, RemovesTheWaitsOfAThreadWithTooMany) {
  for (uint64_t key = 1; key <= WAIT_SETS_NESTED + 1; key++) BeginWait(1, key);
  EXPECT_EQ(CountWaits(), 1u);
  EXPECT_EQ(SendSignal(1, true, 5), 0u);
  EXPECT_EQ(EndWait(1, 1), -1);
  EXPECT_EQ(EndWait(1, WAIT_SETS_NESTED + 1), 0);
}

TEST_F(WaitSets, ReusesSlots) {
  for (int i = 0; i < 1000; i++) {
    BeginWait(1);
    EXPECT_EQ(EndWait(1), 0);
  }
  EXPECT_EQ(sets_.num_slots, 1u);
}

}  // namespace
