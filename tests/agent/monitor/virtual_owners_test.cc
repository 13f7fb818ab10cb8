// The search for monitors that virtual threads hold.
#include "agent/monitor/virtual_owners.h"

#include <string>
#include <vector>

#include "agent/base/clock.h"
#include "tests/agent/inventory/inventory_case.h"
#include "tests/support/virtual_time.h"

namespace {

class VirtualOwners : public testing::Test {
 protected:
  VirtualOwners() {
    c_.r.jvm.version = 0x30190000;  // 25
    c_.r.jvm.HaveVirtualThreads();
    FakeClass *klass = c_.r.jvm.AddClass("LA;", 0xC1);
    for (jint hash : {0x10, 0x20}) {
      locks_.push_back(c_.r.jvm.AddObject(klass, hash));
      wanted_.push_back({locks_.back()->Ref(), static_cast<uint32_t>(hash), false});
    }
    threads_note_virtual(c_.r.threads);
    virtual_owners_init(&v_, c_.r.threads, &acquisitions_);
  }
  FakeThread *AddVirtual(const std::string &name, jint hash) {
    FakeThread *thread = c_.AddThread(name, hash, {}, 0);
    thread->is_virtual = true;
    c_.virtual_threads.push_back(thread);
    return thread;
  }
  // Returns the monitors that were found, with their owners.
  Lines Search() {
    FakeJvm::Running running(c_.current);
    found_.clear();
    for (struct wanted_monitor &w : wanted_) w.is_found = false;
    virtual_owners_search(&v_, c_.r.ti, c_.r.jni, wanted_.data(), wanted_.size(), Add, this);
    return found_;
  }
  uint64_t Next() { return virtual_owners_next(&v_, c_.r.ti); }

  static void Add(void *arg, const struct wanted_monitor *w, jthread owner) {
    auto *self = static_cast<VirtualOwners *>(arg);
    jint hash = 0;
    self->c_.r.ti->GetObjectHashCode(owner, &hash);
    self->found_.push_back(std::to_string(w->hash) + " " + std::to_string(hash));
  }

  VirtualTime time_{0};
  InventoryCase c_;
  std::vector<FakeObject *> locks_;
  std::vector<struct wanted_monitor> wanted_;
  struct acquisitions acquisitions_ = {c_.r.recorder, true, false, {}};
  struct virtual_owners v_;
  Lines found_;
};

TEST_F(VirtualOwners, AreFoundByJvmti) {
  AddVirtual("idle", 1);
  AddVirtual("first", 2)->held = {{locks_[1], 0}};
  AddVirtual("second", 3)->held = {{c_.r.jvm.AddObject(locks_[0]->klass, 0x30), 0}, {locks_[0], 1}};
  EXPECT_EQ(Search(), (Lines{"32 2", "16 3"}));
}

// After an attach the JVM does not grant the capability.
TEST_F(VirtualOwners, AreNotSearchedForAfterAnAttach) {
  acquisitions_.has_capability = false;
  EXPECT_EQ(Next(), UINT64_MAX);
}

TEST_F(VirtualOwners, AThreadThatHasEndedIsSkipped) {
  AddVirtual("ended", 1);
  AddVirtual("first", 2)->held = {{locks_[0], 0}};
  c_.r.jvm.Fail(CALL_GetOwnedMonitorStackDepthInfo);
  EXPECT_EQ(Search(), Lines{"16 2"});
}

TEST_F(VirtualOwners, ASearchEndsWhenAllAreFound) {
  AddVirtual("first", 1)->held = {{locks_[0], 0}, {locks_[1], 1}};
  AddVirtual("second", 2);
  EXPECT_EQ(Search(), (Lines{"16 1", "32 1"}));
  EXPECT_EQ(c_.r.jvm.Calls(CALL_GetOwnedMonitorStackDepthInfo), 1);
}

TEST_F(VirtualOwners, ASearchThatTakesLongGoesOnLater) {
  for (jint i = 1; i <= 3; i++) AddVirtual("v", i)->held = {{locks_[0], 0}};
  c_.r.jvm.During(CALL_GetOwnedMonitorStackDepthInfo, [this] { time_.Pass(150 * NS_PER_MS); });
  EXPECT_EQ(Search(), (Lines{"16 1", "16 2"}));
  EXPECT_EQ(Search(), (Lines{"16 3", "16 1"}));
  EXPECT_EQ(Search(), (Lines{"16 2", "16 3"}));
}

// They may use 20 ms of CPU time at once, and then 1/50 of the time.
TEST_F(VirtualOwners, SearchesTakeASmallShareOfTheTime) {
  EXPECT_LE(Next(), clock_monotonic_ns());
  AddVirtual("v", 1)->held = {{locks_[0], 0}};
  c_.r.jvm.During(CALL_GetOwnedMonitorStackDepthInfo, [] {
    uint64_t until = clock_own_cpu_ns() + 30 * NS_PER_MS;
    while (clock_own_cpu_ns() < until) continue;
  });
  EXPECT_EQ(Search(), Lines{"16 1"});
  EXPECT_GE(Next(), clock_monotonic_ns() + 50 * 9 * NS_PER_MS);
  EXPECT_EQ(Search(), Lines{});
  time_.Pass(Next() - clock_monotonic_ns());
  EXPECT_EQ(Search(), Lines{"16 1"});
}

TEST_F(VirtualOwners, AreNotSearchedForIfTheJvmCannotBeAsked) {
  c_.r.jvm.version = 0x30180000;  // 24
  EXPECT_EQ(Next(), UINT64_MAX);
  c_.r.jvm.version = 0x30190000;
  c_.r.jvm.Fail(CALL_DefineClass);
  EXPECT_EQ(Search(), Lines{});
  EXPECT_EQ(Next(), UINT64_MAX);
}

TEST_F(VirtualOwners, AreNotSearchedForWithoutVirtualThreads) {
  c_.r.threads->has_virtual_threads = false;
  EXPECT_EQ(Next(), UINT64_MAX);
}

}  // namespace
