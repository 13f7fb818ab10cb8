#include "tests/support/check_dump.h"

namespace {

// Appends a contention of the thread 0000000A, and this event of it before the contention ends.
std::function<void(DumpFiles *)> Blocked(const std::string &line) {
  return [=](DumpFiles *files) {
    files->Append(DUMP_EVENTS,
                  "200.0000000099,MonitorContendedEnter,0000000A,0000000C,00000000,0\n"
                  "200.0000000100," +
                      line + "\n");
    files->Replace(DUMP_INFO, "events.written=21", "events.written=23");
  };
}

TEST(CheckEvents, ReportsEachBrokenRuleAboutIds) {
  ExpectRefusals(
      RULE_THREAD_ZERO, RULE_STACK_TOP,
      {
          {RULE_THREAD_ZERO, "out.orca:22: the thread is 00000000\n",
           Event("ThreadEnded,00000000")},
          {RULE_THREAD_UNKNOWN, "out.orca:22: the thread 000000FF has no line in .objects\n",
           Event("ThreadStarted,000000FF,new")},
          {RULE_OBJECT_UNKNOWN, "out.orca:22: the object 000000FF has no line in .objects\n",
           Event("ObjectNotify,0000000A,000000FF,0")},
          {RULE_OWNER_UNKNOWN, "out.orca:22: the owner 000000FF has no line in .objects\n",
           Event("MonitorContendedEnter,0000000A,0000000C,000000FF,0")},
          {RULE_OBJECT_LATE,
           "out.orca:22: the line of 000000FF in .objects is later than the event that names it\n",
           [](DumpFiles *files) {
             Event("ObjectNotify,0000000A,000000FF,0")(files);
             files->Append(DUMP_OBJECTS, "200.0000000100,000000FF,000000C1\n");
           }},
          {RULE_STACK_METHOD,
           "out.orca:22: the method 000000FF of the stack has no line in .methods\n",
           Event("ObjectNotify,0000000A,0000000C,2;00000002;00000000;000000FF;00000000")},
          {RULE_STACK_METHOD,
           "out.orca:22: the method 00000000 of the stack has no line in .methods\n",
           Event("ObjectNotify,0000000A,0000000C,2;00000000;00000000;00000002;00000000")},
          {RULE_STACK_METHOD,
           "out.orca:22: the method 00000000 of the stack has no line in .methods\n",
           Event("ObjectNotify,0000000A,0000000C,2;00000002;00000000;00000000;00000001")},
          {RULE_STACK_TOP,
           "out.orca:22: the top frame of the stack is 00000003, not the tracked method\n",
           Event("ObjectNotify,0000000A,0000000C,1;00000003;00000000")},
          {RULE_STACK_TOP,
           "out.orca:22: the top frame of the stack is 00000008, not the tracked method\n",
           Event("SemaphoreAcquire,0000000A,0000000D,1;00000008;00000000")},
      });
}

// The begin of a call is recorded when the call has lasted for long.
TEST(CheckEvents, WithAThresholdAnObjectMayBeDefinedAfterTheBegin) {
  DumpFiles files;
  WriteGoodDump(&files);
  files.Append(DUMP_EVENTS,
               "200.0000000100,ObjectWait,0000000A,000000FF,0\n"
               "200.0000000300,ObjectWaited,0000000A,000000FF,0\n");
  files.Append(DUMP_OBJECTS, "200.0000000200,000000FF,000000C1\n");
  files.Replace(DUMP_INFO, "events.written=21", "events.written=23");
  EXPECT_NE(Joined(Check(files).lines).find("is later than the event"), std::string::npos);
  files.Replace(DUMP_INFO, "interval=20ms", "interval=20ms,threshold=10ms");
  EXPECT_EQ(Joined(Check(files).lines), "");
}

TEST(CheckEvents, AcceptsACutStack) {
  DumpFiles files;
  WriteGoodDump(&files);
  Event("ObjectNotify,0000000A,0000000C,2;00000002;00000000;00000000;00000000")(&files);
  EXPECT_EQ(Joined(Check(files).lines), "");
}

TEST(CheckEvents, ReportsEachBrokenRuleAboutThreads) {
  ExpectRefusals(
      RULE_ENTER_TWICE, RULE_AFTER_END,
      {
          {RULE_ENTER_TWICE,
           "out.orca:23: MonitorContendedEnter of a thread that is already blocked on the monitor "
           "0000000C\n",
           Blocked("MonitorContendedEnter,0000000A,0000000C,00000000,0")},
          {RULE_BLOCKED_RUNS,
           "out.orca:23: ThreadUnpark of a thread that is blocked on a monitor\n",
           Blocked("ThreadUnpark,0000000A,0000000B,0")},
          {RULE_BLOCKED_RUNS, "out.orca:23: ThreadEnded of a thread that is blocked on a monitor\n",
           Blocked("ThreadEnded,0000000A")},
          {RULE_ENTERED_ALONE,
           "out.orca:22: MonitorContendedEntered without a MonitorContendedEnter of the same "
           "thread "
           "and monitor 0000000C\n",
           Event("MonitorContendedEntered,0000000A,0000000C,0")},
          {RULE_ENTERED_ALONE,
           "out.orca:15: MonitorContendedEntered without a MonitorContendedEnter of the same "
           "thread "
           "and monitor 0000000D\n",
           Replaced(DUMP_EVENTS, "MonitorContendedEntered,0000000A,0000000C",
                    "MonitorContendedEntered,0000000A,0000000D")},
          {RULE_OPEN_CALL,
           "out.orca:23: OpenCall of the thread 0000000A, but its next event does not begin a "
           "call\n",
           [](DumpFiles *files) {
             files->Append(DUMP_EVENTS,
                           "200.0000000099,OpenCall,0000000A\n"
                           "200.0000000100,ObjectNotify,0000000A,0000000C,0\n");
             files->Replace(DUMP_INFO, "events.written=21", "events.written=23");
           }},
          {RULE_STARTED_TWICE,
           "out.orca:22: the thread 0000000A started, but it is already running\n",
           Event("ThreadStarted,0000000A,main")},
          {RULE_AFTER_END, "out.orca:19: the thread 0000000B has already ended\n",
           Replaced(DUMP_EVENTS, "ThreadJoined,0000000A,0000000B,1;00000005;00000000",
                    "ObjectNotify,0000000B,0000000C,0")},
      });
}

// The end of an open call has a line only if the call is a contention.
TEST(CheckEvents, AcceptsOpenCallsWithAndWithoutAnEnd) {
  DumpFiles files;
  WriteGoodDump(&files);
  files.Append(DUMP_EVENTS,
               "200.0000000101,MonitorHeld,0000000A,0000000C,0\n"
               "200.0000000102,OpenCall,0000000A\n"
               "200.0000000103,ThreadSleep,0000000A,0\n"
               "200.0000000104,OpenCall,0000000A\n"
               "200.0000000105,MonitorContendedEnter,0000000A,0000000C,00000000,0\n"
               "200.0000000106,MonitorOwner,0000000A,0000000C,0000000B,0\n"
               "200.0000000107,MonitorContendedEntered,0000000A,0000000C,0\n"
               "200.0000000108,ThreadSleep,0000000A,0\n"
               "200.0000000109,ThreadSlept,0000000A,0\n"
               "200.0000000110,ReadLockHeld,0000000A,0000000C,0\n");
  files.Replace(DUMP_INFO, "events.written=21", "events.written=31");
  EXPECT_EQ(Joined(Check(files).lines), "");
}

TEST(CheckEvents, AcceptsIncompletePairsIfEventsWereDropped) {
  DumpFiles files;
  WriteGoodDump(&files);
  Event("ThreadSlept,0000000A,0")(&files);
  files.Replace(DUMP_INFO, "events.dropped=0", "events.dropped=1");
  Found found = Check(files);
  EXPECT_EQ(Joined(found.lines), "");
  EXPECT_TRUE(found.totals.is_lossy);
}

// The option track and monitors can apply to any method. For other events the top frame must be the
// tracked method.
TEST(CheckEvents, ChecksTheTopFrameOnlyOfTrackedMethods) {
  DumpFiles files;
  WriteGoodDump(&files);
  files.Append(DUMP_METHODS,
               "100.0000000007,0000000A,signalAll,()V,000000C3,0\n"
               "100.0000000007,0000000B,lock,()V,000000C3,0\n"
               "100.0000000007,0000000C,await,()V,000000C3,0\n");
  files.Append(DUMP_EVENTS,
               "200.0000000101,MethodEntry,0000000A,1;00000009;00000000\n"
               "200.0000000102,MonitorEnter,0000000A,0000000C,1;00000009;00000000\n"
               "200.0000000103,LockTryAcquire,0000000A,0000000D,0000000B,0\n"
               "200.0000000104,LockTryAcquireFailed,0000000A,0000000D,0\n"
               "200.0000000105,ConditionSignalAll,0000000A,0000000D,1;0000000A;00000000\n"
               "200.0000000106,ReadLockAcquire,0000000A,0000000D,00000000,1;0000000B;00000000\n"
               "200.0000000107,ReadLockAcquireFailed,0000000A,0000000D,1;0000000B;00000000\n"
               "200.0000000108,LatchAwait,0000000A,0000000D,1;0000000C;00000000\n"
               "200.0000000109,LatchAwaitFailed,0000000A,0000000D,1;0000000C;00000000\n");
  files.Replace(DUMP_INFO, "events.written=21", "events.written=30");
  EXPECT_EQ(Joined(Check(files).lines), "");
}

// A killed JVM did not write events.dropped.
TEST(CheckEvents, AcceptsIncompletePairsOfAKilledJvmWithOverflowDrop) {
  DumpFiles files;
  WriteGoodDump(&files);
  Event("ThreadSlept,0000000A,0")(&files);
  std::string info = files.Text(DUMP_INFO);
  files.Write(DUMP_INFO, info.substr(0, info.find("end.monotonic")));
  EXPECT_NE(Joined(Check(files).lines), "");
  files.Replace(DUMP_INFO, "overflow=wait", "overflow=drop");
  EXPECT_EQ(Joined(Check(files).lines), "");
}

// Orca's own threads record these lines, at a moment after they looked at the thread.
TEST(CheckEvents, AcceptsNewsAboutAThreadThatHasEnded) {
  DumpFiles files;
  WriteGoodDump(&files);
  files.Append(DUMP_EVENTS,
               "200.0000000091,ThreadStarted,0000000D,short\n"
               "200.0000000092,ThreadEnded,0000000D\n"
               "200.0000000093,MonitorHeld,0000000D,0000000C,0\n"
               "200.0000000094,MonitorOwner,0000000D,0000000C,0000000B,0\n");
  files.Replace(DUMP_INFO, "events.written=21", "events.written=25");
  EXPECT_EQ(Joined(Check(files).lines), "");
}

TEST(CheckEvents, AcceptsTwoLivingThreadsWithOneHash) {
  DumpFiles files;
  WriteGoodDump(&files);
  files.Append(DUMP_EVENTS,
               "200.0000000091,ThreadStarted,0000000B,a namesake\n"
               "200.0000000092,ThreadSleep,0000000B,0\n"
               "200.0000000093,ThreadEnded,0000000B\n"
               "200.0000000094,ThreadSlept,0000000B,0\n");
  files.Replace(DUMP_INFO, "events.written=21", "events.written=25");
  EXPECT_EQ(Joined(Check(files).lines), "");
}

}  // namespace
