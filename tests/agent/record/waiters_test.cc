#include "agent/record/waiters.h"

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace {

class WaitersTest : public testing::Test {
 protected:
  uint64_t Since(uint32_t hash) { return waiters_since(w_.get(), hash); }
  struct waiters *w() {
    return w_.get();
  }

 private:
  std::unique_ptr<struct waiters> w_ = std::make_unique<struct waiters>();
};

TEST_F(WaitersTest, KnowsThreadsAndObjectsUntilTheirLastCallEnds) {
  waiters_add(w(), 0xB, 0x10, 100);
  waiters_add(w(), 0xC, 0x10, 200);
  EXPECT_EQ(Since(0xB), 100u);
  EXPECT_EQ(Since(0xC), 200u);
  EXPECT_EQ(Since(0x10), 100u);
  EXPECT_EQ(Since(0xD), WAITERS_NOBODY);
  waiters_remove(w(), 0xB, 0x10);
  EXPECT_EQ(Since(0xB), WAITERS_NOBODY);
  EXPECT_EQ(Since(0x10), 100u) << "not later than the begin of the call that is left";
  waiters_remove(w(), 0xC, 0x10);
  for (uint32_t hash : {0xB, 0xC, 0x10}) EXPECT_EQ(Since(hash), WAITERS_NOBODY) << hash;
  waiters_add(w(), 0xC, 0x10, 300);
  EXPECT_EQ(Since(0x10), 300u);
}

TEST_F(WaitersTest, FoundOnesCountUntilTheNextRecording) {
  waiters_add_found(w(), 0xB, 0x10);
  waiters_add(w(), 0xB, 0x11, 100);
  EXPECT_EQ(Since(0xB), 0u);
  waiters_remove(w(), 0xB, 0x11);
  for (uint32_t hash : {0xB, 0x10}) EXPECT_EQ(Since(hash), 0u) << hash;
  EXPECT_EQ(Since(0x11), WAITERS_NOBODY);
  waiters_add(w(), 0xC, 0x12, 200);
  waiters_forget_found(w());
  for (uint32_t hash : {0xB, 0x10}) EXPECT_EQ(Since(hash), WAITERS_NOBODY) << hash;
  for (uint32_t hash : {0xC, 0x12}) EXPECT_EQ(Since(hash), 200u) << hash;
}

// A wait on nothing, such as a sleep, has object 0.
TEST_F(WaitersTest, KnowsEveryHash) {
  for (uint64_t hash = 0; hash <= UINT32_MAX; hash += 65521) {
    waiters_add(w(), static_cast<uint32_t>(hash), 0, 1);
    EXPECT_EQ(Since(static_cast<uint32_t>(hash)), 1u);
    waiters_remove(w(), static_cast<uint32_t>(hash), 0);
    ASSERT_EQ(Since(static_cast<uint32_t>(hash)), WAITERS_NOBODY) << hash;
  }
}

/* A hook compares this time with that of now, to decide about a stack. It must never take calls for
   newer than they are, whatever other threads do. */
TEST_F(WaitersTest, NoTimeIsLaterThanTheBeginOfACall) {
  const int kThreads = 4, kCalls = 20000;
  std::atomic<uint64_t> now{1};
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < kThreads; t++) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kCalls; i++) {
        waiters_add(w(), 0xB + t, 0x10, now++);
        if (waiters_since(w(), 0x10) > now++) wrong++;
        waiters_remove(w(), 0xB + t, 0x10);
      }
    });
  }
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(Since(0x10), WAITERS_NOBODY);
}

}  // namespace
