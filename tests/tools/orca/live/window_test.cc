#include "tools/orca/live/window.h"

#include <string>

#include "tests/tools/orca/model/small_dump.h"

namespace {

constexpr ticks_t kSecond = 1000000000 * TICKS_PER_NS;

class WindowTest : public testing::Test {
 protected:
  void SetUp() override {
    WriteSmallDump(&files_);
    Open();
  }
  void Open() {
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

  // Adds sums of short calls to the recording, and reads it again.
  void AddSums(const std::string &more = "") {
    AddShortCalls(&files_);
    files_.Append(DUMP_COUNTS, more);
    TearDown();
    Open();
  }

  // Adds a change of the threshold, and reads the recording again.
  void ChangeThreshold(const std::string &time, const std::string &value) {
    files_.Append(DUMP_INFO, "change=" + time + "," + time + ",set,threshold=" + value + "\n");
    TearDown();
    Open();
  }

  // Reads `num` seconds up to a time.
  void Read(uint64_t seconds, uint64_t num) {
    window_free(&window_);
    ASSERT_TRUE(window_read(&window_, &live_, seconds - 101, num));
    ASSERT_EQ(window_.end, seconds * kSecond);
  }

  const struct window_lock *FindLock(uint32_t object) const {
    for (size_t i = 0; i < window_.num_locks; i++) {
      if (live_.model.locks.rows[window_.locks[i].lock].object == object) return &window_.locks[i];
    }
    return nullptr;
  }

  enum window_sums Knows(uint32_t object) const { return FindLock(object)->sum.known; }

  // Milliseconds of sums of a lock, 0 also if it has no row.
  uint64_t SumMs(uint32_t object) const {
    const struct window_lock *row = FindLock(object);
    return row == nullptr ? 0 : row->sum.calls.total / TICKS_PER_NS / 1000000;
  }

  uint64_t BlockedMs(uint32_t object) const {
    for (size_t i = 0; i < window_.num_locks; i++) {
      if (live_.model.locks.rows[window_.locks[i].lock].object == object)
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
  EXPECT_EQ(live_.model.locks.rows[window_.locks[0].lock].object, 0xA1u);  // the longest first
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
  while (live_.model.locks.rows[semaphore].object != 0xA3) semaphore++;
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

// Also that without a stack, of which `orca top` tells the share that each method has.
TEST_F(WindowTest, CountsCpuTimeWithoutAStackOnce) {
  files_.Append(DUMP_SAMPLES,
                "109.2000000000,Cpu,00000002,100000000,1,Java\n"
                "109.3000000000,Cpu,00000002,50000000,0,Unsampled\n");
  TearDown();
  Open();
  ASSERT_TRUE(window_read(&window_, &live_, 9, 10));
  EXPECT_EQ(window_.cpu.total_ns, 150000000u);  // in place of that of Sample lines
  EXPECT_EQ(live_.model.cpu.total_ns, 150000000u);
}

TEST_F(WindowTest, HasNoSumsWithoutBatches) {
  Read(110, 10);
  EXPECT_FALSE(window_.has_sums);
  EXPECT_EQ(window_.num_sums, 0u);
  EXPECT_EQ(Knows(0xA1), WINDOW_SUMS_UNKNOWN);
}

TEST_F(WindowTest, HasTheSumsOfTheBatchesThatCame) {
  AddSums();
  Read(110, 10);
  ASSERT_TRUE(window_.has_sums);
  EXPECT_EQ(window_.sums_begin, 100 * kSecond);
  EXPECT_EQ(window_.sums_end, 109 * kSecond + kSecond / 2 + 3);
  EXPECT_EQ(SumMs(0xA1), 4000u);
  EXPECT_EQ(FindLock(0xA1)->sum.calls.num, 1000u);
  EXPECT_EQ(FindLock(0xA1)->sum.calls.longest, 9000000 * TICKS_PER_NS);
  EXPECT_EQ(FindLock(0xA1)->waits, 3u);  // without them
  EXPECT_EQ(BlockedMs(0xA1), 500u + 250 + 125 + 2000);
  EXPECT_EQ(Knows(0xA1), WINDOW_SUMS_EXACT);
  EXPECT_EQ(SumMs(0xA2), 0u);
  ASSERT_EQ(window_.num_sums, 1u);
  EXPECT_EQ(window_.sums[0].place, place(0x12, 42));
  EXPECT_EQ(window_.sums[0].sum.calls.num, 1000u);
  Read(110, 2);  // the second batch alone, but all of its time
  EXPECT_EQ(window_.sums_begin, 105 * kSecond);
  EXPECT_EQ(SumMs(0xA1), 3000u);
}

// Nothing is known of the time before the first batch came.
TEST_F(WindowTest, HasTheLastBatchBeforeIt) {
  AddSums();
  Read(104, 2);
  EXPECT_FALSE(window_.has_sums);
  EXPECT_EQ(SumMs(0xA1), 0u);
  Read(108, 1);
  ASSERT_TRUE(window_.has_sums);
  EXPECT_EQ(window_.sums_begin, 100 * kSecond);
  EXPECT_EQ(window_.sums_end, 105 * kSecond);
  EXPECT_EQ(SumMs(0xA1), 1000u);
}

// Waits after the change have lines.
TEST_F(WindowTest, LeavesOutABatchBeforeTheThresholdBecameZero) {
  AddSums();
  ChangeThreshold("106.0000000000", "0");
  Read(106, 1);
  EXPECT_FALSE(window_.has_sums) << "the change is at the end of the window";
  Read(108, 1);
  EXPECT_FALSE(window_.has_sums);
  Read(108, 4);  // it came in the window
  EXPECT_TRUE(window_.has_sums);
  ChangeThreshold("107.0000000000", "10ms");
  Read(108, 1);
  EXPECT_FALSE(window_.has_sums);
}

TEST_F(WindowTest, HasNoSumsOfTheTimeWithoutAThreshold) {
  AddSums();
  ChangeThreshold("105.2500000000", "0");
  ChangeThreshold("109.0000000000", "10ms");
  Read(110, 1);
  ASSERT_TRUE(window_.has_sums);
  EXPECT_EQ(window_.sums_begin, 109 * kSecond);
  EXPECT_EQ(SumMs(0xA1), 3000u);
}

TEST_F(WindowTest, LeavesOutABatchThatIsTooOld) {
  AddSums();
  ASSERT_TRUE(live_advance(&live_, 200 * kSecond, false));
  Read(179, 10);
  EXPECT_TRUE(window_.has_sums);
  Read(180, 10);
  EXPECT_FALSE(window_.has_sums);
  Read(180, 80);  // it came in the window
  EXPECT_TRUE(window_.has_sums);
}

// A batch may go on after the end of the window, except at the end of the recording.
TEST_F(WindowTest, WaitsForTheRestOfABatch) {
  AddSums(
      "109.9999999999,MonitorContendedEnter,000000A1,7,7000000,1000000,0\n"
      "110.0000000000,MonitorContendedEnter,000000A2,5,5000000,1000000,0\n");
  Read(110, 1);
  EXPECT_EQ(window_.sums_end, 110 * kSecond);
  EXPECT_EQ(SumMs(0xA1), 3007u);
  EXPECT_EQ(SumMs(0xA2), 5u);
  ASSERT_TRUE(live_advance(&live_, 111 * kSecond, false));
  Read(110, 1);
  EXPECT_EQ(window_.sums_end, 109 * kSecond + kSecond / 2 + 3);
  EXPECT_EQ(SumMs(0xA1), 3000u);
  Read(111, 1);
  EXPECT_EQ(SumMs(0xA1), 7u);
  EXPECT_EQ(SumMs(0xA2), 5u);
}

// The sums are of 4.5 s, the lines of the window of 1 s.
TEST_F(WindowTest, SortsByTheMeanNumberOfBlockedThreads) {
  AddSums("109.5000000004,MonitorContendedEnter,000000B1,20,7000000000,9000000,0\n");
  Read(110, 1);
  ASSERT_EQ(window_.num_locks, 3u);
  EXPECT_EQ(live_.model.locks.rows[window_.locks[0].lock].object, 0xA1u);  // 1 + 3 / 4.5
  EXPECT_EQ(live_.model.locks.rows[window_.locks[1].lock].object, 0xB1u);  // 7 / 4.5, no line
  EXPECT_EQ(live_.model.locks.rows[window_.locks[2].lock].object, 0xA2u);  // 1
  EXPECT_NEAR(window_.locks[0].load, 1 + 3 / 4.5, 1e-6);
  EXPECT_NEAR(window_.locks[1].load, 7 / 4.5, 1e-6);
  EXPECT_NEAR(window_.locks[1].frequency * TICKS_PER_S, 20 / 4.5, 1e-6);
}

// More waits of each monitor may be among those of several.
TEST_F(WindowTest, KnowsTheLeastIfObjectsAreNotToldApart) {
  AddSums("109.5000000004,MonitorContendedEnter,00000000,30,60000000,3000000,0\n");
  Read(110, 10);
  EXPECT_EQ(Knows(0xA1), WINDOW_SUMS_LEAST);
  EXPECT_EQ(Knows(0xA2), WINDOW_SUMS_LEAST);
  EXPECT_EQ(Knows(0), WINDOW_SUMS_EXACT);
  EXPECT_EQ(SumMs(0), 60u);
  Read(108, 1);  // before
  EXPECT_EQ(Knows(0xA1), WINDOW_SUMS_EXACT);
}

TEST_F(WindowTest, KnowsTheLeastOfAPlaceIfPlacesAreNotToldApart) {
  AddSums(
      "109.5000000004,MonitorContendedEnter,000000A1,30,60000000,3000000,0\n"
      "109.5000000005,MonitorContendedEnter,000000A1,8,9000000000,8000000,"
      "2;00000010;00000000;00000000;00000000\n");
  Read(110, 10);
  ASSERT_EQ(window_.num_sums, 3u);
  EXPECT_EQ(window_.sums[0].place, place(0x10, 88));
  EXPECT_EQ(window_.sums[0].sum.known, WINDOW_SUMS_LEAST);
  EXPECT_EQ(window_.sums[1].place, place(0x12, 42));
  EXPECT_EQ(window_.sums[1].sum.known, WINDOW_SUMS_LEAST);
  EXPECT_EQ(window_.sums[2].place, 0u);
  EXPECT_EQ(window_.sums[2].sum.known, WINDOW_SUMS_EXACT);
  EXPECT_EQ(Knows(0xA1), WINDOW_SUMS_EXACT);
}

// Stacks with different callers are of one place.
TEST_F(WindowTest, AddsUpTheSumsOfAPlace) {
  AddSums(
      "109.5000000004,MonitorContendedEnter,000000A1,30,60000000,3000000,"
      "2;00000012;00000000;00000011;00000000\n");
  Read(110, 10);
  ASSERT_EQ(window_.num_sums, 1u);
  EXPECT_EQ(window_.sums[0].sum.calls.num, 1030u);
}

// With locks=all, a short acquisition need not have waited. Those of monitors have.
TEST_F(WindowTest, DoesNotKnowSumsOfAcquisitionsThatMayHaveBeenFree) {
  files_.Append(DUMP_EVENTS,
                "109.2000000000,LockAcquire,00000004,000000B1,00000000,0\n"
                "109.4000000000,LockAcquired,00000004,000000B1,0\n");
  files_.Replace(DUMP_INFO, "engine=weave", "locks=all,engine=weave");
  AddSums("109.5000000004,LockAcquire,000000B1,20,7000000000,9000000,0\n");
  Read(110, 10);
  ASSERT_NE(FindLock(0xB1), nullptr);
  EXPECT_EQ(SumMs(0xB1), 0u);
  EXPECT_EQ(Knows(0xB1), WINDOW_SUMS_UNKNOWN);
  EXPECT_EQ(Knows(0xA1), WINDOW_SUMS_EXACT);
}

// locks=all was set between two batches: only the first one is known to be of waits.
TEST_F(WindowTest, KnowsTheLeastIfLocksChanged) {
  files_.Append(DUMP_INFO, "change=107.0000000000,107.1000000000,set,locks=all\n");
  AddSums();
  files_.Replace(DUMP_COUNTS, "109.5000000000,Monitor",
                 "105.0000000001,LockAcquire,000000B1,20,70000000,9000000,0\n"
                 "109.5000000000,Monitor");
  files_.Append(DUMP_COUNTS, "109.5000000004,LockAcquire,000000B1,20,7000000000,9000000,0\n");
  TearDown();
  Open();
  Read(110, 10);
  EXPECT_EQ(SumMs(0xB1), 70u);
  EXPECT_EQ(Knows(0xB1), WINDOW_SUMS_LEAST);
  Read(106, 2);
  EXPECT_EQ(Knows(0xB1), WINDOW_SUMS_EXACT);
}

}  // namespace
