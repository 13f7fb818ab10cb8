#include "agent/lock/lock_counts.h"

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/at_once.h"

namespace {

const uint32_t kEntries = 1 << 16;                                  // of the table
const uint32_t kMax = kEntries / 4 * 3;                             // that are used
using Told = std::map<std::pair<std::string, uint32_t>, uint64_t>;  // by event and object

// An entry as OrcaLocks.java knows it.
struct Entry {
  uint32_t key, object;
  uint64_t alone, shared, unused;
};
static_assert(sizeof(Entry) == 32);

class LockCountsTest : public testing::Test {
 protected:
  LockCountsTest() {
    static auto &all = *new std::vector<struct lock_counts *>; /* never freed */
    all.push_back(counts_);
  }

  // A lock with this key, whose object has the same hash unless it is said.
  uint32_t At(uint32_t key, bool has_sides = false, uint32_t object = 0) {
    struct lock_look lock = {};
    lock.key = key;
    lock.object = object == 0 ? key : object;
    lock.has_sides = has_sides;
    return lock_counts_at(counts_, &lock);
  }
  void Count(uint32_t key, enum event_kind entry = EVENT_LOCK_ACQUIRE, int times = 1) {
    for (int i = 0; i < times; i++) lock_counts_add(counts_, key, entry);
  }

  // What has changed since the last time; each count is told once.
  Told Changed() {
    Told told;
    auto tell = [](void *arg, enum event_kind kind, uint32_t object, uint64_t count) {
      bool fresh =
          static_cast<Told *>(arg)->insert({{event_infos[kind].name, object}, count}).second;
      EXPECT_TRUE(fresh) << event_infos[kind].name << object;
    };
    lock_counts_changed(counts_, tell, &told);
    return told;
  }

  Entry *Table() { return reinterpret_cast<Entry *>(lock_counts_table(counts_)); }

  // As OrcaLocks.entry: nullptr where the key has none.
  Entry *JavaEntry(uint32_t key) {
    for (uint32_t i = key;; i++) {
      Entry *e = &Table()[i % kEntries];
      uint32_t there = __atomic_load_n(&e->key, __ATOMIC_ACQUIRE);
      if (there == key) return e;
      if (there == 0) return nullptr;
    }
  }

  struct lock_counts *counts_ = lock_counts_new();
};

TEST_F(LockCountsTest, ALockHasItsPlaceByItsKey) {
  EXPECT_EQ(JavaEntry(0x12345678), nullptr);
  EXPECT_EQ(At(0x12345678), 0x12345678u);
  EXPECT_EQ(JavaEntry(0x12345678), &Table()[0x5678]);
  EXPECT_EQ(At(0x12345678), 0x12345678u);
  EXPECT_EQ(Changed(), Told{});
}

TEST_F(LockCountsTest, ALockWithoutAKeyHasNone) {
  EXPECT_EQ(At(0), 0u);
  EXPECT_EQ(lock_counts_refused(counts_), 0u);
  EXPECT_EQ(At(0, false, 0xA), 0u);
}

TEST_F(LockCountsTest, EachIsCountedAsTheEventThatItWouldBe) {
  const struct {
    enum event_kind entry;
    bool has_sides;
    const char *told;
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
    At(key, row.has_sides, 0xA0 + key);
    Count(key, row.entry);
    EXPECT_EQ(Changed(), (Told{{{row.told, 0xA0 + key}, 1}})) << row.told;
    key++;
  }
}

TEST_F(LockCountsTest, OnlyWhatHasChangedIsToldAndThenAllOfIt) {
  At(1);
  At(2, true);
  Count(1, EVENT_LOCK_ACQUIRE, 3);
  EXPECT_EQ(Changed(), (Told{{{"LockAcquired", 1}, 3}}));
  EXPECT_EQ(Changed(), Told{});
  Count(1);
  Count(2, EVENT_READ_LOCK_ACQUIRE);
  Count(2, EVENT_WRITE_LOCK_ACQUIRE, 2);
  EXPECT_EQ(Changed(), (Told{{{"LockAcquired", 1}, 4},
                             {{"ReadLockAcquired", 2}, 1},
                             {{"WriteLockAcquired", 2}, 2}}));
  EXPECT_EQ(Changed(), Told{});
}

TEST_F(LockCountsTest, WhatJavaCodeCountsIsTold) {
  At(0x10005, true);
  JavaEntry(0x10005)->alone++;
  JavaEntry(0x10005)->shared += 2;
  Count(0x10005, EVENT_READ_LOCK_ACQUIRE);
  EXPECT_EQ(Changed(),
            (Told{{{"ReadLockAcquired", 0x10005}, 3}, {{"WriteLockAcquired", 0x10005}, 1}}));
}

TEST_F(LockCountsTest, LocksOfOnePlaceAreCountedEachForItself) {
  const std::vector<uint32_t> keys = {0x00005, 0x10005, 0x20005, 0x00006, 0x30005};
  for (uint32_t key : keys) At(key);
  Told expected;
  for (size_t i = 0; i < keys.size(); i++) {
    EXPECT_EQ(JavaEntry(keys[i]), &Table()[5 + i]);
    Count(keys[i], EVENT_LOCK_ACQUIRE, static_cast<int>(i) + 1);
    expected[{"LockAcquired", keys[i]}] = i + 1;
  }
  EXPECT_EQ(Changed(), expected);
}

TEST_F(LockCountsTest, BehindTheLastPlaceComesTheFirst) {
  const std::vector<uint32_t> keys = {0x0FFFF, 0x1FFFF, 0x20000, 0x7FFFFFFF};
  const std::vector<size_t> places = {0xFFFF, 0, 1, 2};
  for (size_t i = 0; i < keys.size(); i++) {
    EXPECT_EQ(At(keys[i]), keys[i]);
    EXPECT_EQ(JavaEntry(keys[i]), &Table()[places[i]]);
    Count(keys[i]);
  }
  EXPECT_EQ(Changed().size(), keys.size());
}

TEST_F(LockCountsTest, WhenTheTableIsFullOnlyThoseThatAreInItAreCounted) {
  for (uint32_t key = 1; key <= kMax; key++) ASSERT_EQ(At(key), key);
  EXPECT_EQ(lock_counts_refused(counts_), 0u);
  EXPECT_EQ(At(kMax + 1), 0u);
  EXPECT_EQ(At(kEntries + 1), 0u);
  EXPECT_EQ(At(kMax + 1), 0u);
  EXPECT_EQ(lock_counts_refused(counts_), 3u);
  EXPECT_EQ(JavaEntry(kMax + 1), nullptr);
  EXPECT_EQ(At(kMax), kMax);
  Count(kMax);
  EXPECT_EQ(Changed(), (Told{{{"LockAcquired", kMax}, 1}}));
  EXPECT_EQ(lock_counts_refused(counts_), 3u);
}

/* --- recordings ------------------------------------------------------------------------------- */

TEST_F(LockCountsTest, TheNextRecordingKnowsNothing) {
  for (uint32_t key = 1; key <= kMax; key++) At(key);
  At(kMax + 1);
  Count(1, EVENT_LOCK_ACQUIRE, 5);
  Count(2);
  Changed();
  jlong table = lock_counts_table(counts_);
  lock_counts_begin(counts_);
  EXPECT_EQ(lock_counts_table(counts_), table);
  EXPECT_EQ(lock_counts_refused(counts_), 0u);
  EXPECT_EQ(JavaEntry(1), nullptr);
  EXPECT_EQ(Changed(), Told{});
  // One that comes again begins at 0, is told from there, and may be another object.
  EXPECT_EQ(At(1, /* has_sides */ true, 0xB), 1u);
  EXPECT_EQ(Changed(), Told{});
  Count(1, EVENT_WRITE_LOCK_ACQUIRE, 5);
  EXPECT_EQ(Changed(), (Told{{{"WriteLockAcquired", 0xB}, 5}}));
}

// A thread that blocks on a lock while one recording ends and another begins.
TEST_F(LockCountsTest, AnAcquisitionOfALockThatIsNotKnownAnyMoreIsNotCounted) {
  At(1);
  lock_counts_begin(counts_);
  Count(1);
  EXPECT_EQ(Changed(), Told{});
  At(0x10001, false, 0xB);
  EXPECT_EQ(Changed(), Told{});
  lock_counts_begin(counts_);
  Count(0x10001);
  lock_counts_begin(counts_);  // of a table in which no lock is
  At(0x20001);
  EXPECT_EQ(Changed(), Told{});
}

/* --- many threads ---------------------------------------------------------------------------- */

// All want the same few places at the same time, while one looks on as the writer does. A lock that
// is held alone is counted by its holder.
TEST_F(LockCountsTest, ManyThreadsMissNothing) {
  const int kThreads = 4, kRounds = 40;
  const uint32_t kLocks = 300;
  std::vector<std::mutex> held(kLocks);
  std::atomic<bool> done{false};
  std::thread writer([&] {
    Told last;
    while (!done) {
      for (const auto &[what, count] : Changed()) {
        EXPECT_GT(count, last[what]) << what.first;
        EXPECT_EQ(what.second & 0x80000000, 0x80000000) << what.first;
        last[what] = count;
      }
    }
  });
  AtOnce(kThreads, [&](int) {
    for (int round = 0; round < kRounds; round++) {
      for (uint32_t i = 0; i < kLocks; i++) {
        uint32_t key = i % 3 << 16 | (0xFFC0 + i / 3) % kEntries | 1 << 20;
        ASSERT_EQ(At(key, true, key | 0x80000000), key);
        ASSERT_NE(JavaEntry(key), nullptr);
        Count(key, EVENT_READ_LOCK_ACQUIRE);
        std::lock_guard<std::mutex> guard(held[i]);
        Count(key, EVENT_WRITE_LOCK_ACQUIRE);
      }
    }
  });
  done = true;
  writer.join();
  for (uint32_t i = 0; i < kLocks; i++) {
    const Entry *e = JavaEntry(i % 3 << 16 | (0xFFC0 + i / 3) % kEntries | 1 << 20);
    EXPECT_EQ(e->alone, uint64_t{kThreads * kRounds});
    EXPECT_EQ(e->shared, uint64_t{kThreads * kRounds});
  }
}

// Who finds a place empty must not take the lock that gets it in that moment for its own.
TEST_F(LockCountsTest, ManyThreadsAddLocksOfOnePlace) {
  const int kThreads = 4;
  for (int round = 0; round < 200; round++) {
    lock_counts_begin(counts_);
    AtOnce(kThreads, [&](int i) {
      for (uint32_t n = 0; n < 20; n++) {
        uint32_t key = (n * kThreads + static_cast<uint32_t>(i)) << 16 | 7;
        ASSERT_EQ(At(key), key);
        ASSERT_NE(JavaEntry(key), nullptr) << "where Java code would count";
      }
    });
  }
}

}  // namespace
