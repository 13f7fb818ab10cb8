#pragma once
// The locks of java.util.concurrent in a fake JVM, with the fields that the agent reads.
#include <string>

#include "tests/support/fake_jvm.h"

// A ReentrantReadWriteLock, its two locks and their common Sync.
struct FakeReadWriteLock {
  FakeObject *whole, *reading, *writing, *sync;
};

class FakeLocks {
 public:
  explicit FakeLocks(FakeJvm *jvm) : jvm_(jvm) {}

  FakeObject *AddLock(jint hash) { return Add(lock, hash, jvm_->AddObject(lock_sync)); }
  FakeObject *AddStamped(jint hash) { return jvm_->AddObject(stamped, hash); }
  FakeReadWriteLock AddReadWrite(jint hash, jint sync_hash) {
    FakeObject *sync = jvm_->AddObject(both_sync, sync_hash);
    return {Add(both, hash, sync), Add(reading, 0, sync), Add(writing, 0, sync), sync};
  }

  // Makes `owner` the exclusive owner of the lock `held`; nullptr: the lock is free.
  void Own(FakeObject *held, FakeThread *owner) {
    FakeObject *sync = held->fields[GetSyncField(held->klass)];
    sync->fields.erase(owner_);
    if (owner != nullptr) sync->fields[owner_] = owner;
  }

  // Makes `reader` the first of all readers, which have `holds`; it has `own` of them.
  void Read(const FakeReadWriteLock &lock, FakeThread *reader, jlong holds, jint own) {
    bool is_long = state_->descriptor == "J";
    lock.sync->values[state_] = holds << (is_long ? 32 : 16);
    lock.sync->values[first_reader_holds_] = own;
    lock.sync->fields.erase(first_reader_);
    if (reader != nullptr) lock.sync->fields[first_reader_] = reader;
  }

  // The state of a read-write lock is a long, as in newer JDKs.
  void HaveLongStates() { state_->descriptor = "J"; }

 private:
  FakeClass *AddClass(const std::string &name, FakeClass *super = nullptr) {
    FakeClass *klass = jvm_->AddClass("Ljava/util/concurrent/locks/" + name + ";");
    klass->super = super;
    return klass;
  }
  FakeClass *AddHolder(const std::string &name, FakeClass *sync) {
    FakeClass *klass = AddClass(name);
    jvm_->AddField(klass, "sync", sync->signature);
    return klass;
  }
  FakeObject *Add(FakeClass *klass, jint hash, FakeObject *sync) {
    FakeObject *object = jvm_->AddObject(klass, hash);
    object->fields[GetSyncField(klass)] = sync;
    return object;
  }
  FakeField *GetSyncField(FakeClass *klass) {
    FakeField *field = jvm_->Field(klass, "sync", lock_sync->signature);
    return field != nullptr ? field : jvm_->Field(klass, "sync", both_sync->signature);
  }

  FakeJvm *jvm_;

 public:
  FakeClass *const owned = AddClass("AbstractOwnableSynchronizer");
  FakeClass *const lock_sync = AddClass("ReentrantLock$Sync", owned);
  FakeClass *const both_sync = AddClass("ReentrantReadWriteLock$Sync", owned);
  FakeClass *const lock = AddHolder("ReentrantLock", lock_sync);
  FakeClass *const both = AddHolder("ReentrantReadWriteLock", both_sync);
  FakeClass *const reading = AddHolder("ReentrantReadWriteLock$ReadLock", both_sync);
  FakeClass *const writing = AddHolder("ReentrantReadWriteLock$WriteLock", both_sync);
  FakeClass *const stamped = AddClass("StampedLock");

 private:
  FakeField *state_ = jvm_->AddField(both_sync, "state", "I");
  FakeField *first_reader_ = jvm_->AddField(both_sync, "firstReader", "Ljava/lang/Thread;");
  FakeField *first_reader_holds_ = jvm_->AddField(both_sync, "firstReaderHoldCount", "I");
  FakeField *owner_ = jvm_->AddField(owned, "exclusiveOwnerThread", "Ljava/lang/Thread;");
};
