#include "agent/lock/lock_fields.h"

#include <string>
#include <utility>
#include <vector>

#include "agent/record/intern.h"
#include "gtest/gtest.h"
#include "tests/support/fake_locks.h"
#include "tests/support/recording.h"

namespace {

std::string Printed(const struct lock_look &look) {
  char text[80];
  snprintf(text, sizeof text, "object %X, key %X, owner %X%s", look.object, look.key, look.owner,
           look.has_sides ? ", has sides" : "");
  return text;
}

class LockFieldsTest : public testing::Test {
 protected:
  LockFieldsTest() { Find(); }

  void Find() {
    static auto &all = *new std::vector<struct lock_fields *>; /* never freed */
    all.push_back(fields_ = lock_fields_new(r_.jni));
  }
  std::string Look(FakeObject *lock) {
    jobject ref = lock == nullptr ? nullptr : lock->Ref();
    return Printed(lock_look(fields_, r_.meta, r_.ti, r_.jni, ref));
  }
  void Made(FakeObject *lock) { lock_fields_made(fields_, r_.meta, r_.ti, r_.jni, lock->Ref()); }

  // Was the object defined, as one of this class, since the last time?
  bool IsDefined(jint hash, FakeClass *klass) {
    char line[32];
    snprintf(line, sizeof line, "%08X,%08X", static_cast<unsigned>(hash),
             static_cast<unsigned>(klass->hash));
    for (const std::string &object : r_.Objects()) defined_ += object + "\n";
    return defined_.find(line) != std::string::npos;
  }

  Recording r_;
  FakeLocks locks_{&r_.jvm};
  FakeThread *thread_ = r_.jvm.AddThread("T", 0xA);
  struct lock_fields *fields_;
  std::string defined_;
};

TEST_F(LockFieldsTest, ALockIsItself) {
  EXPECT_EQ(Look(locks_.AddLock(0x10)), "object 10, key 10, owner 0");
  EXPECT_TRUE(IsDefined(0x10, locks_.lock));
}

TEST_F(LockFieldsTest, ItsOwnerIsTheThreadThatHoldsIt) {
  FakeObject *lock = locks_.AddLock(0x10);
  locks_.Own(lock, thread_);
  EXPECT_EQ(Look(lock), "object 10, key 10, owner A");
  EXPECT_TRUE(IsDefined(0xA, r_.jvm.ThreadClass()));
  locks_.Own(lock, nullptr);
  EXPECT_EQ(Look(lock), "object 10, key 10, owner 0");
}

TEST_F(LockFieldsTest, AClassOfTheProgramThatExtendsALockIsOneToo) {
  FakeClass *mine = r_.jvm.AddClass("LMyLock;");
  mine->super = locks_.lock;
  FakeObject *lock = locks_.AddLock(0x10);
  lock->klass = mine;
  locks_.Own(lock, thread_);
  EXPECT_EQ(Look(lock), "object 10, key 10, owner A");
  EXPECT_TRUE(IsDefined(0x10, mine));
}

TEST_F(LockFieldsTest, AStampedLockHasSidesAndNoFields) {
  EXPECT_EQ(Look(locks_.AddStamped(0x10)), "object 10, key 10, owner 0, has sides");
}

TEST_F(LockFieldsTest, NoLockIsNothing) {
  EXPECT_EQ(Look(nullptr), "object 0, key 0, owner 0");
  EXPECT_EQ(r_.Objects(), Lines{});
}

TEST_F(LockFieldsTest, ALockThatTheJvmGivesNoHashIsNotCounted) {
  r_.jvm.Fail(CALL_GetObjectHashCode);
  EXPECT_EQ(Look(locks_.AddLock(0x10)), "object 0, key 0, owner 0");
}

/* --- sides ------------------------------------------------------------------------------------ */

TEST_F(LockFieldsTest, BothSidesAreTheLockThatWasSeenBeingMade) {
  FakeReadWriteLock lock = locks_.AddReadWrite(0x10, 0x20);
  Made(lock.whole);
  EXPECT_EQ(Look(lock.reading), "object 10, key 20, owner 0, has sides");
  EXPECT_EQ(Look(lock.writing), "object 10, key 20, owner 0, has sides");
  EXPECT_TRUE(IsDefined(0x10, locks_.both));
  EXPECT_FALSE(IsDefined(0x20, locks_.both_sync));
}

TEST_F(LockFieldsTest, OfOneThatWasMadeBeforeTheSyncStandsForIt) {
  FakeReadWriteLock lock = locks_.AddReadWrite(0x10, 0x20);
  EXPECT_EQ(Look(lock.reading), "object 20, key 20, owner 0, has sides");
  EXPECT_EQ(Look(lock.writing), "object 20, key 20, owner 0, has sides");
  EXPECT_TRUE(IsDefined(0x20, locks_.both_sync));
}

TEST_F(LockFieldsTest, WhoWritesOwnsBothSides) {
  FakeReadWriteLock lock = locks_.AddReadWrite(0x10, 0x20);
  Made(lock.whole);
  locks_.Own(lock.writing, thread_);
  EXPECT_EQ(Look(lock.reading), "object 10, key 20, owner A, has sides");
  EXPECT_EQ(Look(lock.writing), "object 10, key 20, owner A, has sides");
}

TEST_F(LockFieldsTest, InTheNextRecordingTheLockIsDefinedAgain) {
  FakeReadWriteLock lock = locks_.AddReadWrite(0x10, 0x20);
  Made(lock.whole);
  Look(lock.reading);
  EXPECT_TRUE(IsDefined(0x10, locks_.both));
  r_.Again();
  defined_ = "";
  EXPECT_EQ(Look(lock.reading), "object 10, key 20, owner 0, has sides");
  EXPECT_TRUE(IsDefined(0x10, locks_.both));
}

// The table of locks has 65,536 places.
TEST_F(LockFieldsTest, OfTwoThatFallOnOnePlaceTheLaterIsKnown) {
  const uint64_t kPlaces = 1 << 16;
  jint other = 0x21;
  while (hash_word(0x20) % kPlaces != hash_word(static_cast<uint64_t>(other)) % kPlaces) other++;
  FakeReadWriteLock first = locks_.AddReadWrite(0x10, 0x20);
  FakeReadWriteLock second = locks_.AddReadWrite(0x11, other);
  Made(first.whole);
  EXPECT_EQ(Look(first.writing), "object 10, key 20, owner 0, has sides");
  Made(second.whole);
  EXPECT_EQ(Look(second.writing).substr(0, 10), "object 11,");
  EXPECT_EQ(Look(first.writing), "object 20, key 20, owner 0, has sides");
}

TEST_F(LockFieldsTest, OnlyALockWithASyncIsMade) {
  FakeObject *none = locks_.AddStamped(0x10);
  FakeObject *half = r_.jvm.AddObject(locks_.both, 0x11);
  Made(none);
  Made(half);
  EXPECT_EQ(r_.Objects(), Lines{});
  EXPECT_EQ(Look(half), "object 11, key 11, owner 0, has sides");
}

/* --- a JVM whose locks look otherwise --------------------------------------------------------- */

// What is looked for: the classes and their fields in turn, ReentrantLock first, the owner last.
TEST_F(LockFieldsTest, WhatTheJvmDoesNotHaveTellsNothingAndLeavesNoException) {
  FakeObject *lock = locks_.AddLock(0x10);
  FakeReadWriteLock both = locks_.AddReadWrite(0x11, 0x20);
  locks_.Own(lock, thread_);
  locks_.Own(both.writing, thread_);
  const std::string lock_good = "object 10, key 10, owner A";
  const std::string write_good = "object 20, key 20, owner A, has sides";
  for (FakeCall call : {CALL_FindClass, CALL_GetFieldID, CALL_NewGlobalRef}) {
    for (int nth = 1; nth <= 5; nth++) {
      if (call == CALL_NewGlobalRef && nth == 5) continue;  // there are four
      r_.jvm.FailAt(call, nth);
      Find();
      r_.jvm.During(call, nullptr);
      EXPECT_FALSE(r_.jni->ExceptionCheck());
      std::string found = std::to_string(call) + ", call " + std::to_string(nth);
      EXPECT_EQ(Look(lock) == lock_good, nth != 1 && nth != 5) << found << ": " << Look(lock);
      EXPECT_EQ(Look(both.writing) == write_good, nth != 4 && nth != 5)
          << found << ": " << Look(both.writing);
    }
  }
}

}  // namespace
