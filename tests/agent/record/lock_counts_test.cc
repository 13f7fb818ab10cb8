#include "agent/record/lock_counts.h"

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/at_once.h"
#include "tests/support/lock_table.h"

namespace {

const uint32_t kEntries = LockTable::kEntries;
const uint32_t kMaxLocks = kEntries / 4 * 3;  // locks in a full table
using Entry = LockTable::Entry;
using Counts = std::map<std::pair<std::string, uint32_t>, uint64_t>;  // by event and object

class LockCountsTest : public testing::Test {
 protected:
  LockCountsTest() {
    static auto &all = *new std::vector<struct lock_counts *>; /* never freed */
    all.push_back(counts_);
  }

  // Adds a lock with this key. `object` 0: its hash is the key.
  uint32_t AddLock(uint32_t key, bool has_sides = false, uint32_t object = 0) {
    return lock_counts_add_lock(counts_, key, object == 0 ? key : object, has_sides);
  }
  void AddCount(uint32_t key, enum event_kind entry = EVENT_LOCK_ACQUIRE, int times = 1) {
    for (int i = 0; i < times; i++) lock_counts_increment(counts_, key, entry);
  }

  // Returns the counts that have changed since the last call, and checks that each is reported
  // once.
  Counts TakeChanges() {
    Counts changes;
    auto add_change = [](void *arg, enum event_kind kind, uint32_t object, uint64_t count) {
      bool is_new =
          static_cast<Counts *>(arg)->insert({{event_infos[kind].name, object}, count}).second;
      EXPECT_TRUE(is_new) << event_infos[kind].name << object;
    };
    lock_counts_report_changed(counts_, add_change, &changes);
    return changes;
  }

  Entry *GetTable() { return LockTable::Get(counts_); }
  Entry *FindLikeJava(uint32_t key) { return LockTable::Find(counts_, key); }

  struct lock_counts *counts_ = lock_counts_new();
};

TEST_F(LockCountsTest, FindsALockByItsKey) {
  EXPECT_EQ(FindLikeJava(0x12345678), nullptr);
  EXPECT_EQ(AddLock(0x12345678), 0x12345678u);
  EXPECT_EQ(FindLikeJava(0x12345678), &GetTable()[0x5678]);
  EXPECT_EQ(AddLock(0x12345678), 0x12345678u);
  EXPECT_EQ(TakeChanges(), Counts{});
}

TEST_F(LockCountsTest, ALockWithoutKeyIsNotAdded) {
  EXPECT_EQ(AddLock(0), 0u);
  EXPECT_EQ(AddLock(0, false, 0xA), 0u);
  EXPECT_EQ(lock_counts_size(counts_).entries, 0u);
}

TEST_F(LockCountsTest, CountsAreReportedByTheEventOfTheAcquisition) {
  const struct {
    enum event_kind entry;
    bool has_sides;
    const char *reported;
  } rows[] = {
      {EVENT_LOCK_ACQUIRE, false, "LockAcquired"},
      {EVENT_LOCK_TRY, false, "LockAcquired"},
      {EVENT_WRITE_LOCK_ACQUIRE, true, "WriteLockAcquired"},
      {EVENT_WRITE_LOCK_TRY, true, "WriteLockAcquired"},
      {EVENT_READ_LOCK_ACQUIRE, true, "ReadLockAcquired"},
      {EVENT_READ_LOCK_TRY, true, "ReadLockAcquired"},
  };
  uint32_t key = 1;
  for (const auto &row : rows) {
    AddLock(key, row.has_sides, 0xA0 + key);
    AddCount(key, row.entry);
    EXPECT_EQ(TakeChanges(), (Counts{{{row.reported, 0xA0 + key}, 1}})) << row.reported;
    key++;
  }
}

TEST_F(LockCountsTest, ReportsTotalsOfChangedCountsOnly) {
  AddLock(1);
  AddLock(2, true);
  AddCount(1, EVENT_LOCK_ACQUIRE, 3);
  EXPECT_EQ(TakeChanges(), (Counts{{{"LockAcquired", 1}, 3}}));
  EXPECT_EQ(TakeChanges(), Counts{});
  AddCount(1);
  AddCount(2, EVENT_READ_LOCK_ACQUIRE);
  AddCount(2, EVENT_WRITE_LOCK_ACQUIRE, 2);
  EXPECT_EQ(TakeChanges(), (Counts{{{"LockAcquired", 1}, 4},
                                   {{"ReadLockAcquired", 2}, 1},
                                   {{"WriteLockAcquired", 2}, 2}}));
  EXPECT_EQ(TakeChanges(), Counts{});
}

TEST_F(LockCountsTest, ReportsCountsOfJavaCode) {
  AddLock(0x10005, true);
  FindLikeJava(0x10005)->exclusive++;
  FindLikeJava(0x10005)->shared += 2;
  AddCount(0x10005, EVENT_READ_LOCK_ACQUIRE);
  EXPECT_EQ(TakeChanges(),
            (Counts{{{"ReadLockAcquired", 0x10005}, 3}, {{"WriteLockAcquired", 0x10005}, 1}}));
}

TEST_F(LockCountsTest, LocksWithTheSameIndexHaveSeparateCounts) {
  const std::vector<uint32_t> keys = {0x00005, 0x10005, 0x20005, 0x00006, 0x30005};
  for (uint32_t key : keys) AddLock(key);
  Counts expected;
  for (size_t i = 0; i < keys.size(); i++) {
    EXPECT_EQ(FindLikeJava(keys[i]), &GetTable()[5 + i]);
    AddCount(keys[i], EVENT_LOCK_ACQUIRE, static_cast<int>(i) + 1);
    expected[{"LockAcquired", keys[i]}] = i + 1;
  }
  EXPECT_EQ(TakeChanges(), expected);
}

TEST_F(LockCountsTest, TheSearchWrapsAround) {
  const std::vector<uint32_t> keys = {0x0FFFF, 0x1FFFF, 0x20000, 0x7FFFFFFF};
  const std::vector<size_t> indexes = {0xFFFF, 0, 1, 2};
  for (size_t i = 0; i < keys.size(); i++) {
    EXPECT_EQ(AddLock(keys[i]), keys[i]);
    EXPECT_EQ(FindLikeJava(keys[i]), &GetTable()[indexes[i]]);
    AddCount(keys[i]);
  }
  EXPECT_EQ(TakeChanges().size(), keys.size());
}

TEST_F(LockCountsTest, AFullTableCountsOnlyTheLocksInIt) {
  for (uint32_t key = 1; key <= kMaxLocks; key++) ASSERT_EQ(AddLock(key), key);
  EXPECT_FALSE(lock_counts_is_full(counts_)) << "no lock was refused";
  EXPECT_EQ(AddLock(kMaxLocks + 1), 0u);
  EXPECT_EQ(AddLock(kEntries + 1), 0u);
  EXPECT_EQ(AddLock(kMaxLocks + 1), 0u);
  EXPECT_TRUE(lock_counts_is_full(counts_));
  EXPECT_EQ(FindLikeJava(kMaxLocks + 1), nullptr);
  EXPECT_EQ(AddLock(kMaxLocks), kMaxLocks);
  AddCount(kMaxLocks);
  EXPECT_EQ(TakeChanges(), (Counts{{{"LockAcquired", kMaxLocks}, 1}}));
  EXPECT_EQ(lock_counts_size(counts_).entries, kMaxLocks);
}

// Java code asks for no entry in a full table.
TEST_F(LockCountsTest, JavaCodeSeesThatTheTableIsFull) {
  for (uint32_t key = 1; key <= kMaxLocks; key++) AddLock(key);
  EXPECT_FALSE(LockTable::IsFull(counts_));
  AddLock(kMaxLocks + 1);
  EXPECT_TRUE(LockTable::IsFull(counts_));
  lock_counts_begin(counts_);
  EXPECT_FALSE(LockTable::IsFull(counts_));
}

/* --- recordings ------------------------------------------------------------------------------- */

TEST_F(LockCountsTest, TheNextRecordingBeginsWithAnEmptyTable) {
  for (uint32_t key = 1; key <= kMaxLocks; key++) AddLock(key);
  AddLock(kMaxLocks + 1);
  AddCount(1, EVENT_LOCK_ACQUIRE, 5);
  AddCount(2);
  TakeChanges();
  const void *table = lock_counts_table(counts_);
  lock_counts_begin(counts_);
  EXPECT_EQ(lock_counts_table(counts_), table);
  EXPECT_FALSE(lock_counts_is_full(counts_));
  EXPECT_EQ(FindLikeJava(1), nullptr);
  EXPECT_EQ(TakeChanges(), Counts{});
  // A key that is added again counts from 0, and may belong to another object.
  EXPECT_EQ(AddLock(1, /* has_sides */ true, 0xB), 1u);
  EXPECT_EQ(TakeChanges(), Counts{});
  AddCount(1, EVENT_WRITE_LOCK_ACQUIRE, 5);
  EXPECT_EQ(TakeChanges(), (Counts{{{"WriteLockAcquired", 0xB}, 5}}));
}

// This happens when a thread blocks on a lock while one recording ends and another begins.
TEST_F(LockCountsTest, AcquisitionsOfUnknownLocksAreNotCounted) {
  AddLock(1);
  lock_counts_begin(counts_);
  AddCount(1);
  EXPECT_EQ(TakeChanges(), Counts{});
  AddLock(0x10001, false, 0xB);
  EXPECT_EQ(TakeChanges(), Counts{});
  lock_counts_begin(counts_);
  AddCount(0x10001);
  lock_counts_begin(counts_);  // the table is empty
  AddLock(0x20001);
  EXPECT_EQ(TakeChanges(), Counts{});
}

/* --- many threads ---------------------------------------------------------------------------- */

// All threads use the same few indexes at the same time, while one takes the changes like the
// writer. The owner of a lock increments its exclusive count.
TEST_F(LockCountsTest, ManyThreadsLoseNoCount) {
  const int kThreads = 4, kRounds = 40;
  const uint32_t kLocks = 300;
  std::vector<std::mutex> locks(kLocks);
  std::atomic<bool> done{false};
  std::thread writer([&] {
    Counts last;
    while (!done) {
      for (const auto &[key, count] : TakeChanges()) {
        EXPECT_GT(count, last[key]) << key.first;
        EXPECT_EQ(key.second & 0x80000000, 0x80000000) << key.first;
        last[key] = count;
      }
    }
  });
  RunConcurrently(kThreads, [&](int) {
    for (int round = 0; round < kRounds; round++) {
      for (uint32_t i = 0; i < kLocks; i++) {
        uint32_t key = i % 3 << 16 | (0xFFC0 + i / 3) % kEntries | 1 << 20;
        ASSERT_EQ(AddLock(key, true, key | 0x80000000), key);
        ASSERT_NE(FindLikeJava(key), nullptr);
        AddCount(key, EVENT_READ_LOCK_ACQUIRE);
        std::lock_guard<std::mutex> guard(locks[i]);
        AddCount(key, EVENT_WRITE_LOCK_ACQUIRE);
      }
    }
  });
  done = true;
  writer.join();
  for (uint32_t i = 0; i < kLocks; i++) {
    const Entry *e = FindLikeJava(i % 3 << 16 | (0xFFC0 + i / 3) % kEntries | 1 << 20);
    EXPECT_EQ(e->exclusive, uint64_t{kThreads * kRounds});
    EXPECT_EQ(e->shared, uint64_t{kThreads * kRounds});
  }
}

// A thread that finds a free entry must notice when another lock gets the entry first.
TEST_F(LockCountsTest, ManyThreadsAddLocksWithTheSameIndex) {
  const int kThreads = 4;
  for (int round = 0; round < 200; round++) {
    lock_counts_begin(counts_);
    RunConcurrently(kThreads, [&](int i) {
      for (uint32_t n = 0; n < 20; n++) {
        uint32_t key = (n * kThreads + static_cast<uint32_t>(i)) << 16 | 7;
        ASSERT_EQ(AddLock(key), key);
        ASSERT_NE(FindLikeJava(key), nullptr) << "Java code would not count";
      }
    });
  }
}

}  // namespace
