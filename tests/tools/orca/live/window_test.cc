#include "tools/orca/live/window.h"

#include <string>

#include "tests/tools/orca/model/small_dump.h"

namespace {

constexpr ticks_t kSecond = 1000000000 * TICKS_PER_NS;

class WindowTest : public testing::Test {
 protected:
  void SetUp() override {
    WriteSmallDump(&files_);
    struct builder why = {};
    dump_ = dump_open(files_.Prefix().c_str(), &why);
    ASSERT_NE(dump_, nullptr);
    ASSERT_TRUE(live_start(&live_, dump_));
    ASSERT_TRUE(live_advance(&live_, 110 * kSecond, true));
  }
  void TearDown() override {
    window_free(&window_);
    live_free(&live_);
    dump_close(dump_);
  }

  uint64_t BlockedMs(uint32_t object) const {
    for (size_t i = 0; i < window_.num_locks; i++) {
      if (live_.locks[window_.locks[i].lock].object == object)
        return window_.locks[i].blocked / TICKS_PER_NS / 1000000;
    }
    return 0;
  }

  DumpFiles files_;
  struct dump *dump_ = nullptr;
  struct live live_ = {};
  struct window window_ = {};
};

TEST_F(WindowTest, SumsUpTheLastSeconds) {
  ASSERT_TRUE(window_read(&window_, &live_, 9, 2));
  EXPECT_EQ(window_.begin, 108 * kSecond);
  EXPECT_EQ(window_.end, 110 * kSecond);
  ASSERT_EQ(window_.num_locks, 2u);
  EXPECT_EQ(live_.locks[window_.locks[0].lock].object, 0xA1u);  // the longest first
  EXPECT_EQ(BlockedMs(0xA1), 2000u);
  EXPECT_EQ(BlockedMs(0xA2), 1500u);
  EXPECT_EQ(window_.locks[0].waits, 0u);  // it has not ended
  EXPECT_EQ(window_.locks[0].threads, 1u);
  EXPECT_EQ(window_.locks[0].owner, 3u);
  EXPECT_EQ(window_.cpu.total_ns, 0u);
}

TEST_F(WindowTest, GoesBackInTime) {
  ASSERT_TRUE(window_read(&window_, &live_, 3, 3));  // from 101 to 104
  EXPECT_EQ(window_.begin, 101 * kSecond);
  EXPECT_EQ(BlockedMs(0xA1), 500u + 250 + 125);
  EXPECT_EQ(window_.locks[0].waits, 3u);
  EXPECT_EQ(window_.locks[0].threads, 0u);
  EXPECT_EQ(window_.events, 6u);
  window_free(&window_);
  ASSERT_TRUE(window_read(&window_, &live_, 1, 100));  // no more than there is
  EXPECT_EQ(window_.begin, 100 * kSecond);
  EXPECT_EQ(window_.end, 102 * kSecond);
}

// A wait is in each second for the part of it that was in that second.
TEST_F(WindowTest, CutsWaitsAtTheSeconds) {
  ASSERT_TRUE(window_read(&window_, &live_, 8, 1));  // from 108 to 109
  EXPECT_EQ(BlockedMs(0xA1), 1000u);
  EXPECT_EQ(BlockedMs(0xA2), 500u);
  EXPECT_EQ(window_.in_activity[ACTIVITY_BLOCKED], 3 * kSecond / 2);
}

// A semaphore from which threads take what others put is no lock.
TEST_F(WindowTest, LeavesOutSignals) {
  uint32_t semaphore = 0;
  while (live_.locks[semaphore].object != 0xA3) semaphore++;
  EXPECT_TRUE(live_lock_is_signal(&live_, semaphore));
  ASSERT_TRUE(window_read(&window_, &live_, 9, 10));
  EXPECT_EQ(BlockedMs(0xA3), 0u);
  for (size_t i = 0; i < window_.num_sites; i++) EXPECT_NE(window_.sites[i].lock, semaphore);
}

TEST_F(WindowTest, HasTheCpuTimeOfTheMethods) {
  ASSERT_TRUE(window_read(&window_, &live_, 9, 10));
  ASSERT_GT(window_.cpu.num_methods, 0u);
  EXPECT_EQ(window_.cpu.methods[0].method, 0x10u);  // OrderService.price
  EXPECT_EQ(window_.cpu.total_ns, 990000000u);
}

}  // namespace
