#include "agent/lock/counted_locks.h"

#include <vector>

#include "gtest/gtest.h"
#include "tests/support/fake_locks.h"
#include "tests/support/recording.h"

namespace {

const uint32_t kEnoughForSweeps = 512 + 1;
const uint32_t kMaxLocks = (1 << 16) / 4 * 3;
const uint32_t kFirstOther = 0x100000;  // the first key of locks without a reference

class CountedLocksTest : public testing::Test {
 protected:
  CountedLocksTest() {
    static auto &all = *new std::vector<struct lock_counts *>; /* never freed */
    all.push_back(counts_);
    static auto &all_fields = *new std::vector<struct lock_fields *>; /* never freed */
    all_fields.push_back(fields_);
  }

  uint32_t Add(FakeObject *lock) {
    struct lock_look look = lock_look(fields_, r_.meta, r_.ti, r_.jni, lock->Ref());
    return counted_locks_add(counts_, fields_, r_.jni, lock->Ref(), &look);
  }
  void AddOthers(uint32_t num) {
    void *no_ref = nullptr;
    for (uint32_t i = 0; i < num; i++) {
      uint32_t key = kFirstOther + 0x200 + i;
      ASSERT_EQ(lock_counts_add_lock(counts_, key, key, false, &no_ref), key);
    }
  }
  bool IsCounted(uint32_t key) { return lock_counts_find(counts_, key) != 0; }

  Recording r_;
  FakeLocks locks_{&r_.jvm};
  struct lock_fields *fields_ = lock_fields_new(r_.jni);
  struct lock_counts *counts_ = lock_counts_new();
};

TEST_F(CountedLocksTest, EachNewLockHasAReference) {
  FakeObject *lock = locks_.AddLock(0x10);
  EXPECT_EQ(Add(lock), 0x10u);
  EXPECT_EQ(Add(lock), 0x10u);
  EXPECT_EQ(r_.jvm.NumWeakRefs(), 1);
  FakeReadWriteLock both = locks_.AddReadWrite(0x20, 0x30);
  EXPECT_EQ(Add(both.reading), 0x30u);
  EXPECT_EQ(Add(both.writing), 0x30u);
  EXPECT_EQ(r_.jvm.NumWeakRefs(), 2);
  EXPECT_EQ(Add(locks_.AddStamped(0x40)), 0x40u);
  EXPECT_EQ(r_.jvm.NumWeakRefs(), 3);
  counted_locks_end(counts_, r_.jni);
  EXPECT_EQ(r_.jvm.NumWeakRefs(), 0);
}

TEST_F(CountedLocksTest, DeadLocksAreForgotten) {
  FakeObject *dead = locks_.AddLock(0x10), *living = locks_.AddLock(0x11);
  FakeReadWriteLock both = locks_.AddReadWrite(0x20, 0x30);
  Add(dead);
  Add(living);
  Add(both.reading);
  AddOthers(kEnoughForSweeps);
  counted_locks_sweep(counts_, r_.jni);
  EXPECT_EQ(r_.jvm.NumWeakRefs(), 3);
  // The lock lives as long as one of its sides, which have the sync.
  dead->collected = both.whole->collected = both.reading->collected = true;
  counted_locks_sweep(counts_, r_.jni);
  EXPECT_FALSE(IsCounted(0x10));
  EXPECT_TRUE(IsCounted(0x11));
  EXPECT_TRUE(IsCounted(0x30));
  both.writing->collected = both.sync->collected = true;
  counted_locks_sweep(counts_, r_.jni);
  EXPECT_FALSE(IsCounted(0x30));
  EXPECT_EQ(r_.jvm.NumWeakRefs(), 1);
  counted_locks_end(counts_, r_.jni);
}

TEST_F(CountedLocksTest, AFullTableTakesNoReference) {
  AddOthers(kMaxLocks);
  FakeObject *lock = locks_.AddLock(0x10);
  for (int i = 0; i < 2; i++) {  // the first one finds out
    EXPECT_EQ(Add(lock), 0u);
    EXPECT_EQ(r_.jvm.NumWeakRefs(), 0);
  }
  EXPECT_EQ(r_.jvm.Calls(CALL_NewWeakGlobalRef), 1);
}

TEST_F(CountedLocksTest, WithoutMemoryForAReferenceALockIsCountedAndStays) {
  FakeObject *lock = locks_.AddLock(0x10);
  r_.jvm.Fail(CALL_NewWeakGlobalRef);
  EXPECT_EQ(Add(lock), 0x10u);
  EXPECT_FALSE(r_.jni->ExceptionCheck());
  AddOthers(kEnoughForSweeps);
  lock->collected = true;
  counted_locks_sweep(counts_, r_.jni);
  EXPECT_TRUE(IsCounted(0x10));
  EXPECT_EQ(r_.jvm.NumWeakRefs(), 0);
}

TEST_F(CountedLocksTest, ALockWithoutHashIsNotCounted) {
  struct lock_look none = {};
  EXPECT_EQ(counted_locks_add(counts_, fields_, r_.jni, nullptr, &none), 0u);
  EXPECT_EQ(r_.jvm.NumWeakRefs(), 0);
}

}  // namespace
