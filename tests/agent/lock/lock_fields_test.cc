#include "agent/lock/lock_fields.h"

#include <string>
#include <utility>
#include <vector>

#include "agent/record/intern.h"
#include "gtest/gtest.h"
#include "tests/support/fake_locks.h"
#include "tests/support/recording.h"

namespace {

std::string PrintLook(const struct lock_look &look) {
  char text[80];
  snprintf(text, sizeof text, "object %X, key %X, owner %X%s", look.object, look.key, look.owner,
           look.has_sides ? ", has sides" : "");
  return text;
}

class LockFieldsTest : public testing::Test {
 protected:
  LockFieldsTest() { FindFields(); }

  void FindFields() {
    static auto &all = *new std::vector<struct lock_fields *>; /* never freed */
    all.push_back(fields_ = lock_fields_new(r_.jni));
  }
  std::string ReadLook(FakeObject *lock) {
    jobject ref = lock == nullptr ? nullptr : lock->Ref();
    return PrintLook(lock_look(fields_, r_.meta, r_.ti, r_.jni, ref));
  }
  void NoteMade(FakeObject *lock) {
    lock_fields_note_constructed(fields_, r_.meta, r_.ti, r_.jni, lock->Ref());
  }

  // Has the object been defined with this class?
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

TEST_F(LockFieldsTest, ALockIsItsOwnKeyAndObject) {
  EXPECT_EQ(ReadLook(locks_.AddLock(0x10)), "object 10, key 10, owner 0");
  EXPECT_TRUE(IsDefined(0x10, locks_.lock));
}

TEST_F(LockFieldsTest, OwnerIsTheThreadThatHoldsTheLock) {
  FakeObject *lock = locks_.AddLock(0x10);
  locks_.Own(lock, thread_);
  EXPECT_EQ(ReadLook(lock), "object 10, key 10, owner A");
  EXPECT_TRUE(IsDefined(0xA, r_.jvm.ThreadClass()));
  locks_.Own(lock, nullptr);
  EXPECT_EQ(ReadLook(lock), "object 10, key 10, owner 0");
}

TEST_F(LockFieldsTest, AcceptsSubclassesOfTheProgram) {
  FakeClass *mine = r_.jvm.AddClass("LMyLock;");
  mine->super = locks_.lock;
  FakeObject *lock = locks_.AddLock(0x10);
  lock->klass = mine;
  locks_.Own(lock, thread_);
  EXPECT_EQ(ReadLook(lock), "object 10, key 10, owner A");
  EXPECT_TRUE(IsDefined(0x10, mine));
}

TEST_F(LockFieldsTest, AStampedLockHasSidesAndNoFields) {
  EXPECT_EQ(ReadLook(locks_.AddStamped(0x10)), "object 10, key 10, owner 0, has sides");
}

TEST_F(LockFieldsTest, NullGivesZeros) {
  EXPECT_EQ(ReadLook(nullptr), "object 0, key 0, owner 0");
  EXPECT_EQ(r_.Objects(), Lines{});
}

TEST_F(LockFieldsTest, ALockWithoutHashHasNoKey) {
  r_.jvm.Fail(CALL_GetObjectHashCode);
  EXPECT_EQ(ReadLook(locks_.AddLock(0x10)), "object 0, key 0, owner 0");
}

/* --- sides ------------------------------------------------------------------------------------ */

TEST_F(LockFieldsTest, BothSidesHaveTheLockWhoseConstructorWasSeen) {
  FakeReadWriteLock lock = locks_.AddReadWrite(0x10, 0x20);
  NoteMade(lock.whole);
  EXPECT_EQ(ReadLook(lock.reading), "object 10, key 20, owner 0, has sides");
  EXPECT_EQ(ReadLook(lock.writing), "object 10, key 20, owner 0, has sides");
  EXPECT_TRUE(IsDefined(0x10, locks_.both));
  EXPECT_FALSE(IsDefined(0x20, locks_.both_sync));
}

// A program may make many locks that never have an event.
TEST_F(LockFieldsTest, ALockThatIsMadeIsDefinedAtItsFirstEvent) {
  FakeReadWriteLock lock = locks_.AddReadWrite(0x10, 0x20);
  NoteMade(lock.whole);
  EXPECT_EQ(r_.Objects(), Lines{});
  ReadLook(lock.reading);
  EXPECT_TRUE(IsDefined(0x10, locks_.both));
}

TEST_F(LockFieldsTest, ALockOfASubclassKeepsItsClass) {
  FakeClass *mine = r_.jvm.AddClass("LMyLock;");
  mine->super = locks_.both;
  FakeReadWriteLock lock = locks_.AddReadWrite(0x10, 0x20);
  lock.whole->klass = mine;
  NoteMade(lock.whole);
  EXPECT_TRUE(IsDefined(0x10, mine));
  EXPECT_EQ(ReadLook(lock.writing), "object 10, key 20, owner 0, has sides");
}

TEST_F(LockFieldsTest, SidesOfAnOlderLockHaveItsSyncAsObject) {
  FakeReadWriteLock lock = locks_.AddReadWrite(0x10, 0x20);
  EXPECT_EQ(ReadLook(lock.reading), "object 20, key 20, owner 0, has sides");
  EXPECT_EQ(ReadLook(lock.writing), "object 20, key 20, owner 0, has sides");
  EXPECT_TRUE(IsDefined(0x20, locks_.both_sync));
}

TEST_F(LockFieldsTest, TheOwnerOfTheWriteLockOwnsBothSides) {
  FakeReadWriteLock lock = locks_.AddReadWrite(0x10, 0x20);
  NoteMade(lock.whole);
  locks_.Own(lock.writing, thread_);
  EXPECT_EQ(ReadLook(lock.reading), "object 10, key 20, owner A, has sides");
  EXPECT_EQ(ReadLook(lock.writing), "object 10, key 20, owner A, has sides");
}

TEST_F(LockFieldsTest, TheOnlyReaderIsKnownIfItGotTheFreeLock) {
  for (bool is_long : {false, true}) {
    if (is_long) locks_.HaveLongStates();
    FindFields();
    FakeReadWriteLock lock = locks_.AddReadWrite(0x10, 0x20);
    auto read = [&] {
      return lock_look(fields_, r_.meta, r_.ti, r_.jni, lock.writing->Ref()).reader;
    };
    EXPECT_EQ(read(), 0u);
    locks_.Read(lock, thread_, 2, 2);
    EXPECT_EQ(read(), 0xAu);
    EXPECT_TRUE(IsDefined(0xA, r_.jvm.ThreadClass()));
    locks_.Read(lock, thread_, 3, 2);  // another reader
    EXPECT_EQ(read(), 0u);
    locks_.Read(lock, nullptr, 1, 1);  // it has released the lock
    EXPECT_EQ(read(), 0u);
    locks_.Read(lock, thread_, 0, 0);
    EXPECT_EQ(read(), 0u);
    locks_.Read(lock, thread_, 1, 1);
    locks_.Own(lock.writing, thread_);  // it may be a former reader
    EXPECT_EQ(read(), 0u);
  }
}

TEST_F(LockFieldsTest, TheNextRecordingDefinesTheLockAgain) {
  FakeReadWriteLock lock = locks_.AddReadWrite(0x10, 0x20);
  NoteMade(lock.whole);
  ReadLook(lock.reading);
  EXPECT_TRUE(IsDefined(0x10, locks_.both));
  r_.Again();
  defined_ = "";
  EXPECT_EQ(ReadLook(lock.reading), "object 10, key 20, owner 0, has sides");
  EXPECT_TRUE(IsDefined(0x10, locks_.both));
}

// The table of pairs has 65,536 entries.
TEST_F(LockFieldsTest, OfTwoLocksWithTheSameIndexTheLaterIsKnown) {
  const uint64_t kIndexes = 1 << 16;
  jint other = 0x21;
  while (hash_word(0x20) % kIndexes != hash_word(static_cast<uint64_t>(other)) % kIndexes) other++;
  FakeReadWriteLock first = locks_.AddReadWrite(0x10, 0x20);
  FakeReadWriteLock second = locks_.AddReadWrite(0x11, other);
  NoteMade(first.whole);
  EXPECT_EQ(ReadLook(first.writing), "object 10, key 20, owner 0, has sides");
  NoteMade(second.whole);
  EXPECT_EQ(ReadLook(second.writing).substr(0, 10), "object 11,");
  EXPECT_EQ(ReadLook(first.writing), "object 20, key 20, owner 0, has sides");
}

TEST_F(LockFieldsTest, IgnoresLocksWithoutASync) {
  FakeObject *none = locks_.AddStamped(0x10);
  FakeObject *half = r_.jvm.AddObject(locks_.both, 0x11);
  NoteMade(none);
  NoteMade(half);
  EXPECT_EQ(r_.Objects(), Lines{});
  EXPECT_EQ(ReadLook(half), "object 11, key 11, owner 0, has sides");
}

/* --- a JVM with other locks ------------------------------------------------------------------- */

// lock_fields_new looks up the classes and their fields in order: ReentrantLock first, the owner
// fifth, readers last.
TEST_F(LockFieldsTest, MissingClassesAndFieldsAreIgnoredWithoutException) {
  FakeObject *lock = locks_.AddLock(0x10);
  FakeReadWriteLock both = locks_.AddReadWrite(0x11, 0x20);
  locks_.Own(lock, thread_);
  locks_.Own(both.writing, thread_);
  const std::string lock_good = "object 10, key 10, owner A";
  const std::string write_good = "object 20, key 20, owner A, has sides";
  for (FakeCall call : {CALL_FindClass, CALL_GetFieldID, CALL_NewGlobalRef}) {
    for (int nth = 1; nth <= 5; nth++) {
      if (call == CALL_NewGlobalRef && nth == 5) continue;  // there are four global references
      r_.jvm.FailAt(call, nth);
      FindFields();
      r_.jvm.During(call, nullptr);
      EXPECT_FALSE(r_.jni->ExceptionCheck());
      std::string found = std::to_string(call) + ", call " + std::to_string(nth);
      EXPECT_EQ(ReadLook(lock) == lock_good, nth != 1 && nth != 5)
          << found << ": " << ReadLook(lock);
      EXPECT_EQ(ReadLook(both.writing) == write_good, nth != 4 && nth != 5)
          << found << ": " << ReadLook(both.writing);
    }
  }
}

}  // namespace
