// What the user chose: methods of the option track, monitors in full.
#include "agent/track/hooks.h"

#include "tests/agent/track/hooks_fixture.h"

namespace {

/* --- methods of the option track ------------------------------------------------------------- */

class HooksOfMethodsTest : public HooksTest {
 protected:
  explicit HooksOfMethodsTest(const std::string &options = "overflow=drop,track=Main.*")
      : HooksTest(options) {}

  // A method begins, and calls our hook; it leaves, and does so once more.
  void Begin(FakeMethod *method) {
    Push({method->Id(), 5});
    WithHook([&] { hook_method_enter(hooks_, r_.jni); });
  }
  void End(FakeObject *thrown = nullptr) {
    WithHook(
        [&] { hook_method_exit(hooks_, r_.jni, thrown == nullptr ? nullptr : thrown->Ref()); });
    Pop();
  }
  template <typename Act>
  void WithHook(const Act &act) {
    Push({hook_->Id(), 3});
    act();
    Pop();
  }
  // What happened: with the depth of the stack, "MethodEntry 2".
  Lines Happened() {
    Lines short_ones;
    for (const std::string &line : r_.Events()) {
      std::string stack = line.substr(line.rfind(',') + 1);
      short_ones.push_back(line.substr(0, line.find(',')) + " " + stack.substr(0, stack.find(';')));
    }
    return short_ones;
  }

  FakeMethod *other_ = r_.jvm.AddMethod(program_class_, "other", "()V");
};

TEST_F(HooksOfMethodsTest, ACallIsAnEntryAndAnExitWithOneStackAtTheStart) {
  Begin(program_);
  Push({inner_->Id(), 6});
  Pop();
  End();
  EXPECT_EQ(r_.Events(), (Lines{"MethodEntry,0000000A,1;00000001;00000000",
                                "MethodExit,0000000A,00000000,-1,1;00000001;00000000"}));
  EXPECT_EQ(r_.Methods(), Lines{"00000001,main,()V,000000C2,-1"});
  EXPECT_EQ(r_.jvm.Calls(CALL_GetStackTrace), 1);
}

TEST_F(HooksOfMethodsTest, TheClassOfWhatIsThrownStandsInTheExitAndIsDefined) {
  FakeClass *error = r_.jvm.AddClass("LError;", 0xE1);
  Begin(program_);
  r_.Classes();
  End(r_.jvm.AddObject(error));
  EXPECT_EQ(r_.Events()[1], "MethodExit,0000000A,000000E1,-1,1;00000001;00000000");
  EXPECT_EQ(r_.Classes().size(), 1u);
}

TEST_F(HooksOfMethodsTest, EachCallOfARecursionIsRecorded) {
  Begin(program_);
  Begin(program_);
  Begin(program_);
  End();
  End(lock_);
  Begin(program_);
  End();
  End();
  EXPECT_EQ(Happened(), (Lines{"MethodEntry 1", "MethodEntry 2", "MethodEntry 3", "MethodExit 3",
                               "MethodExit 2", "MethodEntry 2", "MethodExit 2", "MethodExit 1"}));
}

// They stand in no other call, whichever loader has the class.
TEST_F(HooksOfMethodsTest, CallsOfRowsInItAreRecorded) {
  Enter(join_, lock_);
  Between(inner_);
  Begin(program_);
  Enter(wait_, lock_);
  Enter(notify_, lock_);  // but not what the JDK calls there
  Exit();
  Exit();
  Enter(sleep_, nullptr);
  Exit();
  End();
  Pop();
  Enter(notify_, lock_);
  Exit();
  Exit();
  EXPECT_EQ(Happened(),
            (Lines{"ThreadJoin 1", "MethodEntry 3", "ObjectWait 4", "ObjectWaited 4",
                   "ThreadSleep 4", "ThreadSlept 4", "MethodExit 3", "ThreadJoined 1"}));
}

TEST_F(HooksOfMethodsTest, AMissedExitEndsAtTheNextCall) {
  Begin(program_);
  Begin(other_);
  Begin(inner_);
  r_.Records();
  Pop();
  Pop();
  Begin(hook_);
  EXPECT_EQ(Happened(), (Lines{"MethodExit 3", "MethodExit 2", "MethodEntry 2"}));
  End();
  End();
  EXPECT_EQ(Happened(), (Lines{"MethodExit 2", "MethodExit 1"}));
}

TEST_F(HooksOfMethodsTest, SoDoesOneOfTheSameMethod) {
  Begin(program_);
  Begin(other_);
  r_.Records();
  Pop();
  Begin(other_);
  EXPECT_EQ(Happened(), (Lines{"MethodExit 2", "MethodEntry 2"}));
  End();
  End();
  EXPECT_EQ(Happened(), (Lines{"MethodExit 2", "MethodExit 1"}));
}

TEST_F(HooksOfMethodsTest, AMissedExitOfARowEndsWithTheMethod) {
  Begin(program_);
  Enter(join_, lock_);
  Enter(wait_, lock_);  // the JDK's
  r_.Records();
  thread_->frames.resize(1);
  End(lock_);
  EXPECT_EQ(r_.Events(), (Lines{"ThreadJoined,0000000A,00000010,2;00000002;00000005;"
                                "00000001;00000005",
                                "MethodExit,0000000A,000000C1,-1,1;00000001;00000000"}));
  rows_.clear();
  EXPECT_EQ(Call(wait_, lock_).size(), 2u);
}

TEST_F(HooksOfMethodsTest, AMissedExitOfAMethodEndsWithTheRowAroundIt) {
  Enter(join_, lock_);
  Begin(program_);
  r_.Records();
  Pop();
  Exit();
  EXPECT_EQ(Happened(), (Lines{"MethodExit 2", "ThreadJoined 1"}));
}

// Where a stack is cut it does not tell. A stack of two frames and the mark counts as three.
TEST_F(HooksOfMethodsTest, InAStackThatIsCutAMissedExitEndsWithTheCallsAround) {
  r_.Again("track=Main.*,depth=2");
  Begin(program_);
  Between(inner_);
  Begin(other_);
  r_.Records();
  Pop();
  Begin(hook_);
  EXPECT_EQ(Happened(), Lines{"MethodEntry 3"});
  End();
  Pop();
  End();
  EXPECT_EQ(Happened(), (Lines{"MethodExit 3", "MethodExit 3"}));
}

TEST_F(HooksOfMethodsTest, WithoutAStackTheCallStandsAndThoseInItToo) {
  r_.jvm.Fail(CALL_GetStackTrace);
  Begin(program_);
  Begin(other_);
  End();
  End();
  EXPECT_EQ(Happened(), (Lines{"MethodEntry 0", "MethodEntry 2", "MethodExit 2", "MethodExit 0"}));
}

TEST_F(HooksOfMethodsTest, ACallThatBeganWhileNothingWasRecordedHasNoExit) {
  context_here(r_.threads, r_.ti, r_.jni);  // the thread is known
  recorder_switch(r_.recorder, false);
  Begin(program_);
  recorder_switch(r_.recorder, true);
  Begin(other_);
  End();
  End(lock_);
  EXPECT_EQ(Happened(), (Lines{"MethodEntry 2", "MethodExit 2"}));
}

TEST_F(HooksOfMethodsTest, ACallThatEndsWhileNothingIsRecordedHasNoExitAndDefinesNothing) {
  Begin(program_);
  r_.Records();
  r_.Classes();
  recorder_switch(r_.recorder, false);
  End(r_.jvm.AddObject(r_.jvm.AddClass("LError;", 0xE1)));
  recorder_switch(r_.recorder, true);
  EXPECT_EQ(r_.Records(), Lines{});
  EXPECT_EQ(r_.Classes(), Lines{});
  Begin(program_);
  End();
  EXPECT_EQ(Happened(), (Lines{"MethodEntry 1", "MethodExit 1"}));
}

TEST_F(HooksOfMethodsTest, AnEntryOfAnEarlierRecordingHasNoExit) {
  Begin(program_);
  r_.Records();
  r_.Again("track=Main.*");
  End();
  EXPECT_EQ(r_.Events(), Lines{});
}

TEST_F(HooksOfMethodsTest, ADroppedEntryHasNoExitAndCallsInItAreRecorded) {
  Begin(other_);
  End();
  r_.FillQueue();
  Begin(program_);
  r_.Records();
  EXPECT_EQ(r_.recorder->dropped, 1u);
  Begin(other_);
  End();
  End();
  EXPECT_EQ(Happened(), (Lines{"MethodEntry 2", "MethodExit 2"}));
}

TEST_F(HooksOfMethodsTest, AnExitWithoutItsEntryIsIgnored) {
  Push({program_->Id(), 5});
  End();
  Enter(wait_, lock_);
  hook_method_exit(hooks_, r_.jni, nullptr);
  Exit();
  EXPECT_EQ(Happened(), (Lines{"ObjectWait 1", "ObjectWaited 1"}));
}

TEST_F(HooksOfMethodsTest, CallsThatAreTooManyAreNotRecordedAndTheOthersEndRight) {
  const int kMax = 65536;
  Begin(program_);
  recorder_switch(r_.recorder, false);  // the many need no records
  for (int i = 1; i < kMax; i++) hook_method_enter(hooks_, r_.jni);
  hook_method_enter(hooks_, r_.jni);  // one too many
  recorder_switch(r_.recorder, true);
  r_.Records();
  Begin(program_);  // another
  Begin(program_);
  End();
  End();
  for (int i = 0; i < kMax; i++) hook_method_exit(hooks_, r_.jni, nullptr);
  EXPECT_EQ(r_.Records(), Lines{});
  End();
  EXPECT_EQ(Happened(), Lines{"MethodExit 1"});
}

TEST_F(HooksOfMethodsTest, OfAnOwnThreadNothingIsRecorded) {
  threads_hide(r_.threads, r_.jni, thread_->Ref());
  Begin(program_);
  End(lock_);
  EXPECT_EQ(r_.Records(), Lines{});
}

TEST_F(HooksOfMethodsTest, TheCpuTimeIsNotAskedFor) {
  Begin(program_);
  End();
  EXPECT_EQ(r_.jvm.Calls(CALL_GetCurrentThreadCpuTime), 0);
}

class HooksOfCpuTest : public HooksOfMethodsTest {
 protected:
  HooksOfCpuTest() : HooksOfMethodsTest("track=Main.*,cpu=on") {}

  void Use(jlong ns) { thread_->cpu_ns += ns; }
};

TEST_F(HooksOfCpuTest, OfACallStandsInItsExitWithThatOfTheCallsInIt) {
  Use(1000);
  Begin(program_);
  Use(5);
  Begin(other_);
  Use(30);
  End();
  Use(7);
  End();
  Lines events = r_.Events();
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[2].substr(0, 33), "MethodExit,0000000A,00000000,30,2");
  EXPECT_EQ(events[3].substr(0, 33), "MethodExit,0000000A,00000000,42,1");
}

TEST_F(HooksOfCpuTest, WhereTheJvmDoesNotTellItAtBothEndsItIsMinusOne) {
  for (int nth : {1, 2}) {
    r_.jvm.FailAt(CALL_GetCurrentThreadCpuTime, nth, JVMTI_ERROR_NOT_AVAILABLE);
    Begin(program_);
    End();
    EXPECT_EQ(r_.Events()[1], "MethodExit,0000000A,00000000,-1,1;00000001;00000000") << nth;
  }
}

/* --- monitors in full ------------------------------------------------------------------------ */

class HooksOfMonitorsTest : public HooksTest {
 protected:
  HooksOfMonitorsTest() { r_.Again("monitors=all,filter=*"); }

  void Use(FakeObject *monitor) {
    for (auto kind : {EVENT_MONITOR_ENTER, EVENT_MONITOR_ENTERED, EVENT_MONITOR_EXIT}) {
      now_->frames = {{hook_->Id(), 3}, {program_->Id(), 10 + static_cast<int>(kind)}};
      hook_monitor(hooks_, r_.jni, monitor == nullptr ? nullptr : monitor->Ref(), kind);
    }
  }
};

TEST_F(HooksOfMonitorsTest, EachEventHasItsOwnStackAtTheCall) {
  Use(lock_);
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

TEST_F(HooksOfMonitorsTest, TheyAreRecordedInsideOfAnyCall) {
  Enter(join_, lock_);
  Use(lock_);
  Exit();
  EXPECT_EQ(r_.Events().size(), 5u);
}

TEST_F(HooksOfMonitorsTest, OfNullOrOfAnOwnThreadOrWhileNothingIsRecordedThereAreNone) {
  Use(nullptr);
  EXPECT_EQ(r_.Events(), Lines{});
  recorder_switch(r_.recorder, false);
  Use(lock_);
  recorder_switch(r_.recorder, true);
  EXPECT_EQ(r_.Events(), Lines{});
  FakeThread *own = r_.jvm.AddThread("Orca", 0xE);
  threads_hide(r_.threads, r_.jni, own->Ref());
  FakeJvm::Running running(own);
  now_ = own;
  Use(lock_);
  EXPECT_EQ(r_.Records(), Lines{});
}

// A loop may run on from one recording to the next.
TEST_F(HooksOfMonitorsTest, ARecordingThatDoesNotWantThemHasNone) {
  for (const char *options : {"", "monitors=all,filter=*,events=all-monitor"}) {
    r_.Again(options);
    Use(lock_);
    EXPECT_EQ(r_.Events(), Lines{}) << options;
  }
}

TEST_F(HooksOfMonitorsTest, WhereTheQueueIsFullTheyAreDropped) {
  r_.Again("monitors=all,filter=*,overflow=drop");
  Use(lock_);
  r_.FillQueue();
  Use(lock_);
  EXPECT_EQ(r_.recorder->dropped, 3u);
}

}  // namespace
