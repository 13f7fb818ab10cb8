// Where the owner of a monitor acquired it.
#include "agent/monitor/acquisition.h"

#include "tests/agent/monitor/owners_case.h"

namespace {

// The stack of the holder is inner, middle, outer. It acquired the lock in middle.
class Acquisition : public OwnersTest {
 protected:
  Acquisition() {
    BeginRecording("owners=late");
    FakeClass *klass = r_->jvm.AddClass("LWork;", 0xC2);
    for (const char *name : {"inner", "middle", "outer"}) {
      methods_.push_back(r_->jvm.AddMethod(klass, name, "()V"));
      holder_->frames.push_back({methods_.back()->Id(), 5});
    }
    holder_->held = {{lock_, 1}};
    acquisitions_ = {r_->recorder, true, false, {}};
    r_->Events();
  }

  // Returns the stack as it is in a MonitorHeld: methods are numbered in their order of appearance.
  std::string Find() {
    struct stack *stack =
        acquisition_find(&acquisitions_, r_->ti, r_->jni, holder_->Ref(), lock_->Ref(), 0x10);
    if (stack == nullptr) return "none";
    struct record record = {};
    record.kind = RECORD_EVENT;
    record.event = EVENT_MONITOR_HELD;
    record.thread = 0xB;
    record.object = 0x10;
    record.stack = stack;
    recorder_put(r_->recorder, RECORDER_OWN_LANE, &record);
    Lines lines = r_->Events();
    EXPECT_EQ(lines.size(), 1u);
    const std::string begin = "MonitorHeld,0000000B,00000010,";
    EXPECT_EQ(lines[0].substr(0, begin.size()), begin);
    return lines[0].substr(begin.size());
  }
  int CountTries() { return r_->jvm.Calls(CALL_GetOwnedMonitorStackDepthInfo); }

  std::vector<FakeMethod *> methods_;
  struct acquisitions acquisitions_;
};

TEST_F(Acquisition, FindsTheStackFromTheFrameThatAcquired) {
  EXPECT_EQ(Find(), "2;00000001;00000005;00000002;00000005");
  EXPECT_EQ(r_->Methods().size(), 2u) << "middle and outer, but not inner";
  EXPECT_EQ(CountTries(), 1);
}

// The references that JDK 21 returns about a virtual thread are not valid.
TEST_F(Acquisition, AVirtualThreadIsAskedFromJdk25On) {
  r_->jvm.HaveVirtualThreads();
  holder_->is_virtual = true;
  r_->jvm.version = 0x30180000;  // 24
  EXPECT_EQ(Find(), "none");
  EXPECT_EQ(CountTries(), 0);
  r_->jvm.version = 0x30190000;
  EXPECT_EQ(Find(), "2;00000001;00000005;00000002;00000005");
}

TEST_F(Acquisition, FindsTheOutermostOfSeveralAcquisitions) {
  FakeObject *other = AddLock(0x20);
  holder_->held = {{lock_, 0}, {lock_, 1}, {lock_, 2}, {other, 0}};
  EXPECT_EQ(Find(), "1;00000001;00000005");
}

TEST_F(Acquisition, AnotherMonitorOfTheThreadIsNotMeant) {
  holder_->held = {{AddLock(0x20), 1}};
  EXPECT_EQ(Find(), "none");
  EXPECT_GT(CountTries(), 1) << "the owner may have changed while it was asked";
}

// Native code holds a monitor without a frame.
TEST_F(Acquisition, AMonitorOfNativeCodeHasNoFrame) {
  holder_->held = {{lock_, -1}};
  EXPECT_EQ(Find(), "none");
}

// The holder leaves the frame while it is asked, each time.
TEST_F(Acquisition, GivesUpIfTheThreadMovesOn) {
  r_->jvm.During(CALL_GetOwnedMonitorStackDepthInfo, [this] { holder_->frames[2].location++; });
  EXPECT_EQ(Find(), "none");
  EXPECT_EQ(CountTries(), 3);
}

TEST_F(Acquisition, TriesAgainIfTheThreadMovesOnOnce) {
  r_->jvm.During(CALL_GetOwnedMonitorStackDepthInfo, [this] {
    if (CountTries() == 1) holder_->frames.erase(holder_->frames.begin());
    if (CountTries() == 1) holder_->held = {{lock_, 0}};
  });
  EXPECT_EQ(Find(), "2;00000001;00000005;00000002;00000005");
  EXPECT_EQ(CountTries(), 2);
}

// Only frames from the one that acquired on must be the same; that one may move on, too.
TEST_F(Acquisition, TheFramesInsideMayChange) {
  r_->jvm.During(CALL_GetOwnedMonitorStackDepthInfo, [this] {
    holder_->frames[0].method = methods_[2]->Id();
    holder_->frames[1].location = 9;
  });
  EXPECT_EQ(Find(), "2;00000001;00000009;00000002;00000005");
}

TEST_F(Acquisition, FindsNothingIfTheJvmGivesNoAnswer) {
  r_->jvm.Fail(CALL_GetOwnedMonitorStackDepthInfo, 3);
  EXPECT_EQ(Find(), "none");
  holder_->frames.clear();
  EXPECT_EQ(Find(), "none");
}

// Without the capability it needs Orca's own class.
TEST_F(Acquisition, AsksNoMoreIfTheJvmRefusesTheClass) {
  acquisitions_.has_capability = false;
  r_->jvm.Fail(CALL_DefineClass, 1);
  EXPECT_EQ(Find(), "none");
  EXPECT_TRUE(acquisitions_.is_refused);
  EXPECT_EQ(Find(), "none");
  EXPECT_EQ(r_->jvm.Calls(CALL_DefineClass), 1);
  EXPECT_EQ(CountTries(), 0);
}

}  // namespace
