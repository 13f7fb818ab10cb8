// Methods of the option track, and monitors of the option monitors.
#include "agent/track/hooks.h"

#include "tests/agent/track/hooks_fixture.h"

namespace {

/* --- methods of the option track ------------------------------------------------------------- */

class HooksOfMethodsTest : public HooksTest {
 protected:
  explicit HooksOfMethodsTest(const std::string &options = "overflow=drop,track=Main.*")
      : HooksTest(options) {}

  // Enters a method, which calls a hook.
  void EnterMethod(FakeMethod *method) {
    Push({method->Id(), 5});
    RunInHook([&] { hook_method_enter(hooks_, r_.jni); });
  }
  // Exits the method, which calls a hook.
  void ExitMethod(FakeObject *thrown = nullptr) {
    RunInHook(
        [&] { hook_method_exit(hooks_, r_.jni, thrown == nullptr ? nullptr : thrown->Ref()); });
    Pop();
  }
  template <typename Act>
  void RunInHook(const Act &act) {
    Push({hook_->Id(), 3});
    act();
    Pop();
  }
  // Returns the name and the stack depth of each new event: "MethodEntry 2".
  Lines TakeNamesAndDepths() {
    Lines names;
    for (const std::string &line : r_.Events()) {
      std::string stack = line.substr(line.rfind(',') + 1);
      names.push_back(line.substr(0, line.find(',')) + " " + stack.substr(0, stack.find(';')));
    }
    return names;
  }

  FakeMethod *other_ = r_.jvm.AddMethod(program_class_, "other", "()V");
};

TEST_F(HooksOfMethodsTest, EntryAndExitHaveTheSameStackAtTheStartOfTheMethod) {
  EnterMethod(program_);
  Push({inner_->Id(), 6});
  Pop();
  ExitMethod();
  EXPECT_EQ(r_.Events(), (Lines{"MethodEntry,0000000A,1;00000001;00000000",
                                "MethodExit,0000000A,00000000,-1,1;00000001;00000000"}));
  EXPECT_EQ(r_.Methods(), Lines{"00000001,main,()V,000000C2,-1"});
  EXPECT_EQ(r_.jvm.Calls(CALL_GetStackTrace), 1);
}

TEST_F(HooksOfMethodsTest, TheExitContainsTheClassOfTheExceptionWhichIsDefined) {
  FakeClass *error = r_.jvm.AddClass("LError;", 0xE1);
  EnterMethod(program_);
  r_.Classes();
  ExitMethod(r_.jvm.AddObject(error));
  EXPECT_EQ(r_.Events()[1], "MethodExit,0000000A,000000E1,-1,1;00000001;00000000");
  EXPECT_EQ(r_.Classes().size(), 1u);
}

TEST_F(HooksOfMethodsTest, EachCallOfARecursionIsRecorded) {
  EnterMethod(program_);
  EnterMethod(program_);
  EnterMethod(program_);
  ExitMethod();
  ExitMethod(lock_);
  EnterMethod(program_);
  ExitMethod();
  ExitMethod();
  EXPECT_EQ(TakeNamesAndDepths(),
            (Lines{"MethodEntry 1", "MethodEntry 2", "MethodEntry 3", "MethodExit 3",
                   "MethodExit 2", "MethodEntry 2", "MethodExit 2", "MethodExit 1"}));
}

// A method of the option track counts as code of the program, whatever loader loaded its class.
TEST_F(HooksOfMethodsTest, CallsOfRowsInsideTheMethodAreRecorded) {
  Enter(join_, lock_);
  PushFrames(inner_);
  EnterMethod(program_);
  Enter(wait_, lock_);
  Enter(notify_, lock_);  // a call of the JDK inside the wait, which is not recorded
  Exit();
  Exit();
  Enter(sleep_, nullptr);
  Exit();
  ExitMethod();
  Pop();
  Enter(notify_, lock_);
  Exit();
  Exit();
  EXPECT_EQ(TakeNamesAndDepths(),
            (Lines{"ThreadJoin 1", "MethodEntry 3", "ObjectWait 4", "ObjectWaited 4",
                   "ThreadSleep 4", "ThreadSlept 4", "MethodExit 3", "ThreadJoined 1"}));
}

TEST_F(HooksOfMethodsTest, ACallWhoseExitWasMissedEndsAtTheNextCall) {
  EnterMethod(program_);
  EnterMethod(other_);
  EnterMethod(inner_);
  r_.Records();
  Pop();
  Pop();
  EnterMethod(hook_);
  EXPECT_EQ(TakeNamesAndDepths(), (Lines{"MethodExit 3", "MethodExit 2", "MethodEntry 2"}));
  ExitMethod();
  ExitMethod();
  EXPECT_EQ(TakeNamesAndDepths(), (Lines{"MethodExit 2", "MethodExit 1"}));
}

TEST_F(HooksOfMethodsTest, ACallWhoseExitWasMissedEndsAtTheNextCallOfTheSameMethod) {
  EnterMethod(program_);
  EnterMethod(other_);
  r_.Records();
  Pop();
  EnterMethod(other_);
  EXPECT_EQ(TakeNamesAndDepths(), (Lines{"MethodExit 2", "MethodEntry 2"}));
  ExitMethod();
  ExitMethod();
  EXPECT_EQ(TakeNamesAndDepths(), (Lines{"MethodExit 2", "MethodExit 1"}));
}

TEST_F(HooksOfMethodsTest, ACallOfARowWhoseExitWasMissedEndsWithTheMethod) {
  EnterMethod(program_);
  Enter(join_, lock_);
  Enter(wait_, lock_);  // a call of the JDK
  r_.Records();
  thread_->frames.resize(1);
  ExitMethod(lock_);
  EXPECT_EQ(r_.Events(), (Lines{"ThreadJoined,0000000A,00000010,2;00000002;00000005;"
                                "00000001;00000005",
                                "MethodExit,0000000A,000000C1,-1,1;00000001;00000000"}));
  rows_.clear();
  EXPECT_EQ(Call(wait_, lock_).size(), 2u);
}

TEST_F(HooksOfMethodsTest, AMethodWhoseExitWasMissedEndsWithTheOuterCallOfARow) {
  Enter(join_, lock_);
  EnterMethod(program_);
  r_.Records();
  Pop();
  Exit();
  EXPECT_EQ(TakeNamesAndDepths(), (Lines{"MethodExit 2", "ThreadJoined 1"}));
}

// A truncated stack does not tell whether the outer method is still there. A stack of two frames
// and the mark of the truncation counts as three frames.
TEST_F(HooksOfMethodsTest, ACallWhoseExitWasMissedEndsWithTheOuterCallIfTheStackIsTruncated) {
  r_.Again("track=Main.*,depth=2");
  EnterMethod(program_);
  PushFrames(inner_);
  EnterMethod(other_);
  r_.Records();
  Pop();
  EnterMethod(hook_);
  EXPECT_EQ(TakeNamesAndDepths(), Lines{"MethodEntry 3"});
  ExitMethod();
  Pop();
  ExitMethod();
  EXPECT_EQ(TakeNamesAndDepths(), (Lines{"MethodExit 3", "MethodExit 3"}));
}

TEST_F(HooksOfMethodsTest, ACallWithoutAStackIsRecordedAndSoAreCallsInsideIt) {
  r_.jvm.Fail(CALL_GetStackTrace);
  EnterMethod(program_);
  EnterMethod(other_);
  ExitMethod();
  ExitMethod();
  EXPECT_EQ(TakeNamesAndDepths(),
            (Lines{"MethodEntry 0", "MethodEntry 2", "MethodExit 2", "MethodExit 0"}));
}

TEST_F(HooksOfMethodsTest, ACallThatWasEnteredWhileNothingWasRecordedHasNoExit) {
  context_here(r_.threads, r_.ti, r_.jni);  // makes the context of the thread
  recorder_switch(r_.recorder, false);
  EnterMethod(program_);
  recorder_switch(r_.recorder, true);
  EnterMethod(other_);
  ExitMethod();
  ExitMethod(lock_);
  EXPECT_EQ(TakeNamesAndDepths(), (Lines{"MethodEntry 2", "MethodExit 2"}));
}

TEST_F(HooksOfMethodsTest, ACallThatEndsWhileNothingIsRecordedHasNoExitAndDefinesNothing) {
  EnterMethod(program_);
  r_.Records();
  r_.Classes();
  recorder_switch(r_.recorder, false);
  ExitMethod(r_.jvm.AddObject(r_.jvm.AddClass("LError;", 0xE1)));
  recorder_switch(r_.recorder, true);
  EXPECT_EQ(r_.Records(), Lines{});
  EXPECT_EQ(r_.Classes(), Lines{});
  EnterMethod(program_);
  ExitMethod();
  EXPECT_EQ(TakeNamesAndDepths(), (Lines{"MethodEntry 1", "MethodExit 1"}));
}

TEST_F(HooksOfMethodsTest, AnEntryOfAnEarlierRecordingHasNoExit) {
  EnterMethod(program_);
  r_.Records();
  r_.Again("track=Main.*");
  ExitMethod();
  EXPECT_EQ(r_.Events(), Lines{});
}

TEST_F(HooksOfMethodsTest, ADroppedEntryHasNoExitAndCallsInsideItAreRecorded) {
  EnterMethod(other_);
  ExitMethod();
  r_.FillQueue();
  EnterMethod(program_);
  r_.Records();
  EXPECT_EQ(r_.recorder->figures.events_dropped, 1u);
  EnterMethod(other_);
  ExitMethod();
  ExitMethod();
  EXPECT_EQ(TakeNamesAndDepths(), (Lines{"MethodEntry 2", "MethodExit 2"}));
}

TEST_F(HooksOfMethodsTest, AnExitWithoutItsEntryIsIgnored) {
  Push({program_->Id(), 5});
  ExitMethod();
  Enter(wait_, lock_);
  hook_method_exit(hooks_, r_.jni, nullptr);
  Exit();
  EXPECT_EQ(TakeNamesAndDepths(), (Lines{"ObjectWait 1", "ObjectWaited 1"}));
}

TEST_F(HooksOfMethodsTest, TooDeeplyNestedCallsAreNotRecordedAndOthersEndCorrectly) {
  const int kMax = 65536;
  EnterMethod(program_);
  recorder_switch(r_.recorder, false);  // the following calls need no records
  for (int i = 1; i < kMax; i++) hook_method_enter(hooks_, r_.jni);
  hook_method_enter(hooks_, r_.jni);  // one too many
  recorder_switch(r_.recorder, true);
  r_.Records();
  EnterMethod(program_);  // one more
  EnterMethod(program_);
  ExitMethod();
  ExitMethod();
  for (int i = 0; i < kMax; i++) hook_method_exit(hooks_, r_.jni, nullptr);
  EXPECT_EQ(r_.Records(), Lines{});
  ExitMethod();
  EXPECT_EQ(TakeNamesAndDepths(), Lines{"MethodExit 1"});
}

TEST_F(HooksOfMethodsTest, AThreadOfOrcaIsNotRecorded) {
  threads_hide(r_.threads, r_.jni, thread_->Ref());
  EnterMethod(program_);
  ExitMethod(lock_);
  EXPECT_EQ(r_.Records(), Lines{});
}

TEST_F(HooksOfMethodsTest, TheCpuTimeIsNotReadWithoutTheOptionCpu) {
  EnterMethod(program_);
  ExitMethod();
  EXPECT_EQ(r_.jvm.Calls(CALL_GetCurrentThreadCpuTime), 0);
}

class HooksOfCpuTest : public HooksOfMethodsTest {
 protected:
  HooksOfCpuTest() : HooksOfMethodsTest("track=Main.*,cpu=on") {}

  void UseCpu(jlong ns) { thread_->cpu_ns += ns; }
};

TEST_F(HooksOfCpuTest, TheExitContainsTheCpuTimeOfTheCallAndTheCallsInsideIt) {
  UseCpu(1000);
  EnterMethod(program_);
  UseCpu(5);
  EnterMethod(other_);
  UseCpu(30);
  ExitMethod();
  UseCpu(7);
  ExitMethod();
  Lines events = r_.Events();
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[2].substr(0, 33), "MethodExit,0000000A,00000000,30,2");
  EXPECT_EQ(events[3].substr(0, 33), "MethodExit,0000000A,00000000,42,1");
}

TEST_F(HooksOfCpuTest, TheCpuTimeIsMinusOneIfTheJvmRefusesIt) {
  for (int nth : {1, 2}) {
    r_.jvm.FailAt(CALL_GetCurrentThreadCpuTime, nth, JVMTI_ERROR_NOT_AVAILABLE);
    EnterMethod(program_);
    ExitMethod();
    EXPECT_EQ(r_.Events()[1], "MethodExit,0000000A,00000000,-1,1;00000001;00000000") << nth;
  }
}

/* --- the option monitors --------------------------------------------------------------------- */

class HooksOfMonitorsTest : public HooksTest {
 protected:
  HooksOfMonitorsTest() { r_.Again("monitors=all,filter=*"); }

  // Calls the three hooks of a `synchronized` statement.
  void UseMonitor(FakeObject *monitor) {
    for (auto kind : {EVENT_MONITOR_ENTER, EVENT_MONITOR_ENTERED, EVENT_MONITOR_EXIT}) {
      now_->frames = {{hook_->Id(), 3}, {program_->Id(), 10 + static_cast<int>(kind)}};
      hook_monitor(hooks_, r_.jni, monitor == nullptr ? nullptr : monitor->Ref(), kind);
    }
  }
};

TEST_F(HooksOfMonitorsTest, EachEventHasItsOwnStackAtTheCall) {
  UseMonitor(lock_);
  Lines expected;
  for (auto kind : {EVENT_MONITOR_ENTER, EVENT_MONITOR_ENTERED, EVENT_MONITOR_EXIT}) {
    char line[80];
    snprintf(line, sizeof line, "%s,0000000A,00000010,1;00000001;%08X", event_infos[kind].name,
             10 + static_cast<unsigned>(kind));
    expected.push_back(line);
  }
  EXPECT_EQ(r_.Events(), expected);
  EXPECT_EQ(r_.Objects().back(), "00000010,000000C1");
}

TEST_F(HooksOfMonitorsTest, EventsInsideACallAreRecorded) {
  Enter(join_, lock_);
  UseMonitor(lock_);
  Exit();
  EXPECT_EQ(r_.Events().size(), 5u);
}

TEST_F(HooksOfMonitorsTest, NoEventIsRecordedForNullOrAThreadOfOrcaOrWhileRecordingIsOff) {
  UseMonitor(nullptr);
  EXPECT_EQ(r_.Events(), Lines{});
  recorder_switch(r_.recorder, false);
  UseMonitor(lock_);
  recorder_switch(r_.recorder, true);
  EXPECT_EQ(r_.Events(), Lines{});
  FakeThread *own = r_.jvm.AddThread("Orca", 0xE);
  threads_hide(r_.threads, r_.jni, own->Ref());
  FakeJvm::Running running(own);
  now_ = own;
  UseMonitor(lock_);
  EXPECT_EQ(r_.Records(), Lines{});
}

// A loop that started in an earlier recording still calls the hooks.
TEST_F(HooksOfMonitorsTest, NoEventIsRecordedIfTheOptionsExcludeIt) {
  for (const char *options : {"", "monitors=all,filter=*,events=all-monitor"}) {
    r_.Again(options);
    UseMonitor(lock_);
    EXPECT_EQ(r_.Events(), Lines{}) << options;
  }
}

TEST_F(HooksOfMonitorsTest, EventsAreDroppedIfTheQueueIsFull) {
  r_.Again("monitors=all,filter=*,overflow=drop");
  UseMonitor(lock_);
  r_.FillQueue();
  UseMonitor(lock_);
  EXPECT_EQ(r_.recorder->figures.events_dropped, 3u);
}

}  // namespace
