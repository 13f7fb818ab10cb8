#pragma once
// The owners of a recording in a fake JVM, with a thread that holds a monitor.
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "agent/base/clock.h"
#include "agent/monitor/owners.h"
#include "gtest/gtest.h"
#include "tests/support/recording.h"

class OwnersTest : public testing::Test {
 protected:
  void Begin(const std::string &options) {
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
  struct blocked *Ask() {
    return Ask(lock_);
  }
  struct blocked *Ask(FakeObject *lock) {
    return owners_ask(owners_, r_->ti, r_->jni, lock->Ref(), 0xA, static_cast<uint32_t>(lock->hash),
                      &owner_);
  }
  // One more lock of the holder's.
  FakeObject *Another(jint hash) {
    FakeObject *lock = r_->jvm.AddObject(lock_->klass, hash);
    lock->owner = holder_;
    return lock;
  }

  // Waits until the condition holds.
  bool Until(const std::function<bool()> &holds) {
    for (uint64_t start = clock_monotonic_ns(); !holds();) {
      if (clock_monotonic_ns() - start > 10 * NS_PER_S) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
  }

  // Waits until the watch has let go of all: nobody blocks any more.
  bool WatchIsDone() {
    return Until([this] { return r_->jvm.NumWeakRefs() == 0; });
  }

  // The watch looks once at all who block, which is long enough for all of them, and ends.
  void OneRound() {
    std::this_thread::sleep_for(std::chrono::nanoseconds(OWNERS_LATE_NS));
    StartWatch();
    StopWatch();
  }
  void StopWatch() {
    owners_stop(owners_);
    r_->jvm.JoinAgentThreads();
    EXPECT_EQ(r_->jvm.NumWeakRefs(), 0);
  }

  // Waits until the watch has asked so often, or found that it could not, and stops it.
  bool Asked(uint64_t times) {
    auto asked = [this] {
      return __atomic_load_n(&owners_->asked, __ATOMIC_RELAXED) +
             __atomic_load_n(&owners_->not_asked, __ATOMIC_RELAXED);
    };
    bool good = Until([&] { return asked() >= times; });
    StopWatch();
    return good;
  }

  std::unique_ptr<Recording> r_;
  struct owners *owners_;
  FakeObject *lock_;
  FakeThread *holder_;
  struct context *context_;  // of the holder
  uint32_t owner_ = 0;
};
