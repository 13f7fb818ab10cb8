#include "tools/orca/model/state/wait_sets.h"

#include "gtest/gtest.h"

namespace {

class WaitSets : public testing::Test {
 protected:
  ~WaitSets() override { wait_sets_free(&sets_); }

  void Begin(uint32_t thread, uint64_t key = 1, bool in_turn = true) {
    EXPECT_TRUE(wait_sets_begin(&sets_, key, thread, 10 * thread, in_turn));
  }
  uint64_t Signal(uint64_t key, bool all, size_t mark) {
    struct wake_signal by = {1, 99, mark};
    return wait_sets_signal(&sets_, key, all, &by);
  }
  // The mark of what called the thread, -1: it did not wait.
  int End(uint32_t thread, uint64_t key = 1) {
    const struct wait_slot *wait = wait_sets_end(&sets_, key, thread);
    if (wait == nullptr) return -1;
    EXPECT_EQ(wait->thread, thread);
    EXPECT_EQ(wait->since, 10 * thread);
    EXPECT_EQ(wait->called, wait->by.thread == 99);
    return static_cast<int>(wait->by.mark);
  }
  size_t Waiting() {
    size_t num = 0;
    for (size_t cursor = 0; wait_sets_next(&sets_, &cursor) != nullptr;) num++;
    return num;
  }

  struct wait_sets sets_ = {};
};

TEST_F(WaitSets, OneIsTheOldest) {
  for (uint32_t thread : {1, 2, 3}) Begin(thread);
  EXPECT_EQ(Signal(1, false, 7), 1u);
  EXPECT_EQ(Signal(1, false, 8), 1u);
  EXPECT_EQ(End(2), 8);
  EXPECT_EQ(End(1), 7);
  EXPECT_EQ(End(3), 0);
  EXPECT_EQ(End(3), -1);
}

TEST_F(WaitSets, AllAreThoseOfThatObjectThatStillWait) {
  for (uint32_t thread : {1, 2, 3}) Begin(thread);
  Begin(4, 2);
  EXPECT_EQ(Signal(1, false, 6), 1u);
  EXPECT_EQ(Signal(1, true, 7), 2u);
  EXPECT_EQ(Signal(1, true, 8), 0u);
  EXPECT_EQ(Signal(99, true, 9), 0u);
  EXPECT_EQ(Waiting(), 4u);
  EXPECT_EQ(End(1), 6);
  EXPECT_EQ(End(2), 7);
  EXPECT_EQ(End(3), 7);
  EXPECT_EQ(End(4, 2), 0);
  EXPECT_EQ(Waiting(), 0u);
}

TEST_F(WaitSets, WhoGivesUpLeavesItsPlace) {
  for (uint32_t thread : {1, 2, 3}) Begin(thread);
  EXPECT_EQ(End(2), 0);
  EXPECT_EQ(Signal(1, true, 5), 2u);
  Begin(2);
  EXPECT_EQ(End(2), 0);
  EXPECT_EQ(End(3), 5);
}

TEST_F(WaitSets, AWaitWithinAnother) {
  Begin(1);
  Begin(1, 2);
  Begin(1, 3);
  EXPECT_EQ(End(1, 1), 0);  // the ends of the others are lost
  EXPECT_EQ(Waiting(), 0u);
  EXPECT_EQ(Signal(2, true, 5), 0u);
  EXPECT_EQ(End(1, 2), -1);
}

TEST_F(WaitSets, WhoDoesNotWaitInTurnIsNotCalled) {
  Begin(1, 1, false);
  Begin(2);
  EXPECT_EQ(Signal(1, true, 5), 1u);
  EXPECT_EQ(End(1), 0);
  EXPECT_EQ(End(2), 5);
}

TEST_F(WaitSets, OfAThreadThatIsInTooManyTheEndsAreLost) {
  for (uint64_t key = 1; key <= WAIT_SETS_NESTED + 1; key++) Begin(1, key);
  EXPECT_EQ(Waiting(), 1u);
  EXPECT_EQ(Signal(1, true, 5), 0u);
  EXPECT_EQ(End(1, 1), -1);
  EXPECT_EQ(End(1, WAIT_SETS_NESTED + 1), 0);
}

TEST_F(WaitSets, SlotsAreUsedAgain) {
  for (int i = 0; i < 1000; i++) {
    Begin(1);
    EXPECT_EQ(End(1), 0);
  }
  EXPECT_EQ(sets_.num_slots, 1u);
}

}  // namespace
