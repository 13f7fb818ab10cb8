#include "agent/record/lock_counts.h"

#include <atomic>
#include <deque>
#include <map>
#include <memory>
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
const uint32_t kCrowd = 1024;                 // locks in a crowded table
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
    return LockTable::Add(counts_, key, object == 0 ? key : object, has_sides);
  }
  void AddCount(uint32_t key, enum event_kind entry = EVENT_LOCK_ACQUIRE, int times = 1) {
    for (int i = 0; i < times; i++) lock_counts_increment(counts_, key, entry);
  }

  // Returns the counts that have changed since the last call, and checks that each is reported
  // once.
  Counts TakeChanges() {
    Counts changes;
    auto add_change = [](void *arg, enum event_kind kind, uint32_t object, uint64_t more) {
      bool is_new =
          static_cast<Counts *>(arg)->insert({{event_infos[kind].name, object}, more}).second;
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

TEST_F(LockCountsTest, ReportsHowMuchCountsHaveChanged) {
  AddLock(1);
  AddLock(2, true);
  AddCount(1, EVENT_LOCK_ACQUIRE, 3);
  EXPECT_EQ(TakeChanges(), (Counts{{{"LockAcquired", 1}, 3}}));
  EXPECT_EQ(TakeChanges(), Counts{});
  AddCount(1);
  AddCount(2, EVENT_READ_LOCK_ACQUIRE);
  AddCount(2, EVENT_WRITE_LOCK_ACQUIRE, 2);
  EXPECT_EQ(TakeChanges(), (Counts{{{"LockAcquired", 1}, 1},
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
  EXPECT_FALSE(lock_counts_is_incomplete(counts_)) << "no lock was refused";
  EXPECT_EQ(AddLock(kMaxLocks + 1), 0u);
  EXPECT_EQ(AddLock(kEntries + 1), 0u);
  EXPECT_EQ(AddLock(kMaxLocks + 1), 0u);
  EXPECT_TRUE(lock_counts_is_incomplete(counts_));
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

// Java code leaves out locks without an identity hash then. Others are still added.
TEST_F(LockCountsTest, JavaCodeSeesThatTheTableIsCrowded) {
  for (uint32_t key = 1; key < kCrowd; key++) AddLock(key);
  EXPECT_FALSE(LockTable::IsCrowded(counts_));
  AddLock(kCrowd);
  EXPECT_TRUE(LockTable::IsCrowded(counts_));
  EXPECT_EQ(AddLock(kCrowd + 1), kCrowd + 1);
  EXPECT_FALSE(lock_counts_is_incomplete(counts_)) << "nothing was left out";
  LockTable::SetSkipped(counts_);
  EXPECT_TRUE(lock_counts_is_incomplete(counts_));
  lock_counts_begin(counts_);
  EXPECT_FALSE(LockTable::IsCrowded(counts_));
  EXPECT_FALSE(lock_counts_is_incomplete(counts_));
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
  EXPECT_FALSE(lock_counts_is_incomplete(counts_));
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

/* --- dead locks ------------------------------------------------------------------------------ */

// The references are pointers to bools: whether the lock is dead.
class DeadLocksTest : public LockCountsTest {
 protected:
  struct Lock {
    uint32_t key;
    std::atomic<bool> is_dead{false}, has_ref{false};
    explicit Lock(uint32_t k) : key(k) {}
  };

  static bool IsDead(void *, void *ref) { return static_cast<Lock *>(ref)->is_dead; }
  static void DeleteRef(void *, void *ref) {
    EXPECT_TRUE(static_cast<Lock *>(ref)->has_ref.exchange(false)) << "deleted twice";
  }
  const struct lock_refs refs_ = {IsDead, DeleteRef, nullptr};

  // Returns a different key for each number that is not 0.
  static uint32_t SpreadKey(uint32_t number) {
    uint32_t key = (number * 2654435761u) & 0x7FFFFFFF;
    return key ^ key >> 15;
  }
  Lock *MakeLock(uint32_t key) {
    made_.push_back(std::make_unique<Lock>(key));
    return made_.back().get();
  }
  // Adds a lock with a reference. Returns whether it is in the table.
  bool AddWithRef(Lock *lock, uint32_t object = 0) {
    void *ref = lock;
    lock->has_ref = true;
    uint32_t key = lock_counts_add_lock(counts_, lock->key, object == 0 ? lock->key : object,
                                        /* has_sides */ false, &ref);
    if (ref != nullptr) DeleteRef(nullptr, ref);
    return key != 0;
  }
  // Fills the table so far that sweeps look for dead locks. The keys are not used otherwise.
  void AddManyLiving(uint32_t num = kCrowd / 2 + 1) {
    for (uint32_t i = 0; i < num; i++) ASSERT_NE(AddLock(0x10000 + 0x2000 + i), 0u);
  }
  void Sweep() { lock_counts_sweep(counts_, &refs_); }
  size_t CountRefs() const {
    size_t num = 0;
    for (const auto &lock : made_) num += lock->has_ref;
    return num;
  }

  std::deque<std::unique_ptr<Lock>> made_;
};

TEST_F(DeadLocksTest, ADeadLockIsReportedAndForgotten) {
  AddManyLiving();
  Lock *lock = MakeLock(5), *living = MakeLock(6);
  ASSERT_TRUE(AddWithRef(lock) && AddWithRef(living));
  Sweep();
  EXPECT_EQ(lock_counts_find(counts_, 5), 5u);
  AddCount(5, EVENT_LOCK_ACQUIRE, 3);
  lock->is_dead = true;
  Sweep();
  EXPECT_EQ(lock_counts_find(counts_, 5), 0u);
  EXPECT_EQ(lock_counts_find(counts_, 6), 6u);
  EXPECT_FALSE(lock->has_ref);
  EXPECT_TRUE(living->has_ref);
  size_t before = lock_counts_size(counts_).entries;
  Sweep();
  EXPECT_EQ(lock_counts_size(counts_).entries, before) << "its count is not reported yet";
  EXPECT_EQ(TakeChanges(), (Counts{{{"LockAcquired", 5}, 3}}));
  Sweep();
  EXPECT_EQ(lock_counts_size(counts_).entries, before - 1);
  EXPECT_FALSE(lock_counts_is_incomplete(counts_));
}

TEST_F(DeadLocksTest, ASmallTableIsNotSwept) {
  Lock *lock = MakeLock(5);
  ASSERT_TRUE(AddWithRef(lock));
  lock->is_dead = true;
  Sweep();
  EXPECT_EQ(lock_counts_find(counts_, 5), 5u);
}

TEST_F(DeadLocksTest, ACrowdEndsWhenLocksDie) {
  for (uint32_t key = 1; key <= kCrowd; key++) ASSERT_TRUE(AddWithRef(MakeLock(key)));
  EXPECT_TRUE(LockTable::IsCrowded(counts_));
  made_[0]->is_dead = true;
  for (int i = 0; i < 2; i++) {  // retires it, and drops it
    Sweep();
  }
  EXPECT_FALSE(LockTable::IsCrowded(counts_));
}

// A thread may have found the entry before the sweep, for another lock with the same key.
TEST_F(DeadLocksTest, ACountAfterTheSweepIsReported) {
  AddManyLiving();
  Lock *lock = MakeLock(5);
  ASSERT_TRUE(AddWithRef(lock, 0xA5));
  Entry *e = FindLikeJava(5);
  lock->is_dead = true;
  Sweep();
  e->exclusive++;
  Sweep();
  EXPECT_EQ(TakeChanges(), (Counts{{{"LockAcquired", 0xA5}, 1}}));
}

TEST_F(DeadLocksTest, ALockWithTheKeyOfADeadOneIsAddedAgain) {
  AddManyLiving();
  Lock *first = MakeLock(5), *second = MakeLock(5);
  ASSERT_TRUE(AddWithRef(first) && AddWithRef(second));
  EXPECT_FALSE(second->has_ref) << "it shares the entry";
  AddCount(5);
  first->is_dead = true;
  Sweep();
  EXPECT_FALSE(lock_counts_is_incomplete(counts_));
  AddCount(5);
  EXPECT_TRUE(lock_counts_is_incomplete(counts_)) << "it waited while the first one died";
  ASSERT_TRUE(AddWithRef(second));
  EXPECT_TRUE(second->has_ref);
  EXPECT_EQ(TakeChanges(), (Counts{{{"LockAcquired", 5}, 1}}));
  AddCount(5);
  EXPECT_EQ(TakeChanges(), (Counts{{{"LockAcquired", 5}, 1}}));
  Sweep();
  EXPECT_EQ(lock_counts_find(counts_, 5), 5u);
}

TEST_F(DeadLocksTest, SearchesPassForgottenEntries) {
  AddManyLiving();
  Lock *first = MakeLock(0x00005), *second = MakeLock(0x20005), *third = MakeLock(0x30005);
  ASSERT_TRUE(AddWithRef(first) && AddWithRef(second) && AddWithRef(third));
  Entry *table = GetTable();
  first->is_dead = second->is_dead = true;
  for (int sweep = 0; sweep < 2; sweep++) {
    Sweep();
    EXPECT_EQ(FindLikeJava(third->key), &table[7]);
    EXPECT_EQ(FindLikeJava(first->key), nullptr);
  }
  // A new lock gets the first entry that it may have.
  Lock *fourth = MakeLock(0x40005);
  ASSERT_TRUE(AddWithRef(fourth, 0xA4));
  EXPECT_EQ(FindLikeJava(fourth->key), &table[5]);
  EXPECT_EQ(TakeChanges(), Counts{});
  AddCount(fourth->key);
  EXPECT_EQ(TakeChanges(), (Counts{{{"LockAcquired", 0xA4}, 1}}));
  EXPECT_EQ(AddLock(0x30005), 0x30005u);
  EXPECT_EQ(FindLikeJava(0x30005), &table[7]) << "it is not added twice";
}

TEST_F(DeadLocksTest, ANewLockDoesNotInheritCounts) {
  AddManyLiving();
  Lock *first = MakeLock(0x00005), *after = MakeLock(0x20005);
  ASSERT_TRUE(AddWithRef(first) && AddWithRef(after));
  AddCount(first->key, EVENT_LOCK_ACQUIRE, 7);
  first->is_dead = true;
  Sweep();
  TakeChanges();
  Sweep();
  Lock *next = MakeLock(0x40005);
  ASSERT_TRUE(AddWithRef(next));
  ASSERT_EQ(FindLikeJava(next->key), &GetTable()[5]);
  EXPECT_EQ(TakeChanges(), Counts{});
  AddCount(next->key, EVENT_LOCK_ACQUIRE, 2);
  EXPECT_EQ(TakeChanges(), (Counts{{{"LockAcquired", next->key}, 2}}));
}

// Otherwise searches would get longer the more locks have died.
TEST_F(DeadLocksTest, EntriesThatNoSearchPassesBecomeFree) {
  AddManyLiving();
  std::vector<Lock *> locks;
  // The entries are neighbours, and go on at the start of the table. The search for the living lock
  // begins at 0xFFFF, which another lock had before.
  for (uint32_t key : {0x0FFFEu, 0x0FFFFu, 0x1FFFFu, 0x10001u}) locks.push_back(MakeLock(key));
  for (Lock *lock : locks) ASSERT_TRUE(AddWithRef(lock));
  const Entry *table = GetTable();
  ASSERT_EQ(table[0].key, 0x1FFFFu);
  for (Lock *lock : locks) lock->is_dead = lock != locks[2];
  Sweep();
  Sweep();
  EXPECT_EQ(table[0xFFFE].key, 0u);
  EXPECT_NE(table[0xFFFF].key, 0u);
  EXPECT_EQ(FindLikeJava(0x1FFFF), &table[0]);
  EXPECT_EQ(table[1].key, 0u);
  locks[2]->is_dead = true;
  Sweep();
  Sweep();
  EXPECT_EQ(table[0xFFFF].key, 0u);
  EXPECT_EQ(table[0].key, 0u);
}

TEST_F(DeadLocksTest, AFullTableHasRoomAgain) {
  const uint32_t kNew = 1 << 20;
  for (uint32_t key = 1; key <= kMaxLocks; key++) ASSERT_TRUE(AddWithRef(MakeLock(key)));
  Lock *refused = MakeLock(kNew);
  EXPECT_FALSE(AddWithRef(refused));
  EXPECT_FALSE(refused->has_ref) << "its reference is the caller's";
  for (const auto &lock : made_) lock->is_dead = true;
  Sweep();
  EXPECT_TRUE(LockTable::IsFull(counts_)) << "threads may still count in the entries";
  Sweep();
  EXPECT_FALSE(LockTable::IsFull(counts_));
  EXPECT_EQ(lock_counts_size(counts_).entries, 0u);
  EXPECT_EQ(CountRefs(), 0u);
  for (uint32_t i = 0; i < kEntries; i++) ASSERT_EQ(GetTable()[i].key, 0u) << i;
  for (uint32_t i = 0; i < kMaxLocks; i++) ASSERT_TRUE(AddWithRef(MakeLock(kNew + i)));
  EXPECT_FALSE(LockTable::IsFull(counts_));
  EXPECT_TRUE(lock_counts_is_incomplete(counts_)) << "a lock was not counted for a while";
}

// Some locks live all the time, and the others die again and again.
TEST_F(DeadLocksTest, LosesNoCountInManyRounds) {
  const uint32_t kOld = 6000, kYoung = 30000;
  std::map<uint32_t, uint64_t> counted, reported;
  auto report = [&] {
    for (const auto &[key, more] : TakeChanges()) reported[key.second] += more;
  };
  auto acquire = [&](Lock *lock) {
    ASSERT_TRUE(lock_counts_find(counts_, lock->key) != 0 || AddWithRef(lock));
    AddCount(lock->key);
    counted[lock->key]++;
  };
  uint32_t next = 1;
  auto make = [&] { return MakeLock(SpreadKey(next++)); };
  std::vector<Lock *> old, young;
  for (uint32_t i = 0; i < kOld; i++) old.push_back(make());
  for (int round = 0; round < 8; round++) {
    for (uint32_t i = 0; i < kYoung; i++) young.push_back(make());
    for (Lock *lock : old) acquire(lock);
    for (Lock *lock : young) acquire(lock);
    for (Lock *lock : young) lock->is_dead = true;
    young.clear();
    Sweep();
    report();
    Sweep();
  }
  EXPECT_EQ(reported, counted);
  EXPECT_FALSE(lock_counts_is_incomplete(counts_));
  EXPECT_EQ(CountRefs(), kOld);
  lock_counts_delete_refs(counts_, &refs_);
  EXPECT_EQ(CountRefs(), 0u);
}

// References of the recording before are deleted by whoever meets them.
TEST_F(DeadLocksTest, ReferencesOfAnEarlierRecordingAreDeleted) {
  Lock *met = MakeLock(5), *swept = MakeLock(6), *dead = MakeLock(7);
  ASSERT_TRUE(AddWithRef(met) && AddWithRef(swept) && AddWithRef(dead));
  dead->is_dead = true;
  lock_counts_begin(counts_);
  EXPECT_EQ(CountRefs(), 3u);
  Lock *next = MakeLock(5);
  ASSERT_TRUE(AddWithRef(next));
  EXPECT_FALSE(met->has_ref);
  AddManyLiving();
  Sweep();
  EXPECT_EQ(CountRefs(), 1u);
  EXPECT_TRUE(next->has_ref);
  EXPECT_EQ(lock_counts_find(counts_, 5), 5u);
}

/* --- many threads ---------------------------------------------------------------------------- */

// All threads use the same few indexes at the same time, while one takes the changes like the
// writer. The owner of a lock increments its exclusive count.
TEST_F(LockCountsTest, ManyThreadsLoseNoCount) {
  const int kThreads = 4, kRounds = 40;
  const uint32_t kLocks = 300;
  std::vector<std::mutex> locks(kLocks);
  std::atomic<bool> done{false};
  Counts sums;
  std::thread writer([&] {
    while (!done) {
      for (const auto &[key, more] : TakeChanges()) {
        EXPECT_EQ(key.second & 0x80000000, 0x80000000) << key.first;
        sums[key] += more;
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
  for (const auto &[key, more] : TakeChanges()) sums[key] += more;
  EXPECT_EQ(sums.size(), size_t{2 * kLocks});
  for (const auto &[key, sum] : sums) EXPECT_EQ(sum, uint64_t{kThreads * kRounds}) << key.first;
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

// Each thread makes locks, counts their acquisitions and lets them die, while another one sweeps,
// and one takes the changes like the writer.
TEST_F(DeadLocksTest, ManyThreadsAddAndForgetLocks) {
  const int kThreads = 3;
  const uint32_t kLocks = 30000;  // of each thread
  std::vector<std::unique_ptr<Lock>> locks[kThreads];
  for (int t = 0; t < kThreads; t++) {
    for (uint32_t i = 0; i < kLocks; i++) {
      uint32_t number = i * kThreads + static_cast<uint32_t>(t) + 1;
      locks[t].push_back(std::make_unique<Lock>(SpreadKey(number)));
    }
  }
  std::atomic<bool> done{false};
  std::atomic<uint64_t> counted{0};
  uint64_t reported = 0;
  auto report = [&] {
    auto add = [](void *sum, enum event_kind, uint32_t, uint64_t more) {
      *static_cast<uint64_t *>(sum) += more;
    };
    lock_counts_report_changed(counts_, add, &reported);
  };
  std::thread writer([&] {
    while (!done) report();
  });
  std::thread sweeper([&] {
    while (!done) Sweep();
  });
  RunConcurrently(kThreads, [&](int t) {
    for (const auto &lock : locks[t]) {
      if (AddWithRef(lock.get())) {
        AddCount(lock->key);
        counted++;
      }
      lock->is_dead = true;
    }
  });
  done = true;
  writer.join();
  sweeper.join();
  report();
  EXPECT_EQ(reported, counted);
  lock_counts_delete_refs(counts_, &refs_);
  for (const auto &of_thread : locks) {
    for (const auto &lock : of_thread) ASSERT_FALSE(lock->has_ref);
  }
}

}  // namespace
