#pragma once
// A struct owners in a fake JVM, with a thread that owns a monitor. Time passes only when the test
// says so.
#include <memory>
#include <vector>

#include "agent/base/clock.h"
#include "agent/monitor/owners.h"
#include "gtest/gtest.h"
#include "tests/support/recording.h"
#include "tests/support/virtual_time.h"

class OwnersTest : public testing::Test {
 protected:
  void BeginRecording(const std::string &options) {
    r_ = std::make_unique<Recording>(options);
    static auto &all = *new std::vector<struct owners *>; /* never freed */
    all.push_back(owners_ = new struct owners);
    owners_init(owners_, r_->threads);
    if (r_->recorder->options.owners == OWNERS_LATE) owners_->pool = blocked_pool_new();
    FakeClass *klass = r_->jvm.AddClass("LA;", 0xC1);
    lock_ = r_->jvm.AddObject(klass, 0x10);
    holder_ = r_->jvm.AddThread("holder", 0xB);
    lock_->owner = holder_;
    FakeJvm::Running running(holder_);
    context_ = context_here(r_->threads, r_->ti, r_->jni);
  }
  void TearDown() override { owners_stop(owners_); }

  void StartWatch() { ASSERT_TRUE(owners_start(owners_, r_->ti, r_->jni)); }
  struct blocked *RequestOwner() {
    return RequestOwner(lock_);
  }
  struct blocked *RequestOwner(FakeObject *lock) {
    return owners_request(owners_, r_->ti, r_->jni, lock->Ref(), 0xA,
                          static_cast<uint32_t>(lock->hash), &owner_);
  }
  // Adds another lock that the holder owns.
  FakeObject *AddLock(jint hash) {
    FakeObject *lock = r_->jvm.AddObject(lock_->klass, hash);
    lock->owner = holder_;
    return lock;
  }

  // Gives the watch the time for its next rounds. Returns whether it has released all slots. No
  // thread may be blocked any more.
  bool AreSlotsReleased() {
    time_.Advance(10 * NS_PER_MS);
    return r_->jvm.NumWeakRefs() == 0;
  }

  // Waits until all waiters are old enough for their query, and runs the watch for one round.
  void RunOneRound() {
    time_.Pass(OWNERS_LATE_NS);
    StartWatch();
    StopWatch();
  }
  void StopWatch() {
    owners_stop(owners_);
    r_->jvm.JoinAgentThreads();
    EXPECT_EQ(r_->jvm.NumWeakRefs(), 0);
  }

  uint64_t CountQueries() const {
    return figure_get(&r_->recorder->figures.owners_asked) +
           figure_get(&r_->recorder->figures.owners_not_asked);
  }

  VirtualTime time_{1};  // the watch waits
  std::unique_ptr<Recording> r_;
  struct owners *owners_;
  FakeObject *lock_;
  FakeThread *holder_;
  struct context *context_;  // of holder_
  uint32_t owner_ = 0;
};
