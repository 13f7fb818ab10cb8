#include "tests/support/check_dump.h"

namespace {

// Appends events with ascending timestamps and adjusts events.written. Before these events, thread
// A is in no call and thread B is in Thread.sleep.
std::function<void(DumpFiles *)> AppendEvents(std::vector<std::string> lines) {
  return [=](DumpFiles *files) {
    int n = 100;
    for (const std::string &line : lines) {
      files->Append(DUMP_EVENTS, "200.0000000" + std::to_string(n++) + "," + line + "\n");
    }
    files->Replace(DUMP_INFO, "events.written=21",
                   "events.written=" + std::to_string(21 + lines.size()));
  };
}

// Stacks, innermost frame first: wait, main.
const char kWait[] = "2;00000001;FFFFFFFF;00000009;00000000";
// notify, main, wait.
const char kInWait[] = "3;00000002;FFFFFFFF;00000009;00000000;00000001;FFFFFFFF";
// notify, main.
const char kInMain[] = "2;00000002;FFFFFFFF;00000009;00000000";
const char kMain[] = "1;00000009;00000000";
const char kMainTwice[] = "2;00000009;00000000;00000009;00000008";

std::string MakeEvent(const char *event, const char *stack) {
  return std::string(event) + ",0000000A,0000000C," + stack;
}
std::string MakeEntry(const char *stack) { return std::string("MethodEntry,0000000A,") + stack; }
std::string MakeExit(const char *stack, const char *thrown = "00000000") {
  return std::string("MethodExit,0000000A,") + thrown + ",-1," + stack;
}

TEST(CheckInside, ReportsCallsThatDoNotNest) {
  ExpectRefusals(
      RULE_NESTED, RULE_EXIT_MISSING,
      {
          {RULE_NESTED,
           "out.orca:22: ThreadSleep inside a tracked method that is not in its stack\n",
           Event("ThreadSleep,0000000B,0")},
          {RULE_NESTED,
           "out.orca:23: ObjectNotify inside a tracked method that is not in its stack\n",
           AppendEvents({MakeEvent("ObjectWait", kWait), MakeEvent("ObjectNotify", kInMain)})},
          {RULE_EXIT_ALONE, "out.orca:22: ThreadSlept without its begin event\n",
           Event("ThreadSlept,0000000A,0")},
          {RULE_EXIT_ALONE, "out.orca:22: ObjectWaited without its begin event\n",
           Event("ObjectWaited,0000000B,0000000C,0")},
          {RULE_EXIT_OTHER, "out.orca:16: ObjectWaited names another object than its begin event\n",
           Replaced(DUMP_EVENTS, "ObjectWaited,0000000A,0000000C",
                    "ObjectWaited,0000000A,0000000D")},
          {RULE_EXIT_MISSING, "out.orca:22: the thread 0000000B ended inside a tracked method\n",
           Event("ThreadEnded,0000000B")},
      });
}

TEST(CheckInside, ReportsMonitorsAndMethodsThatDoNotNest) {
  ExpectRefusals(
      RULE_MONITOR_ALONE, RULE_METHOD_OPEN,
      {
          {RULE_MONITOR_ALONE,
           "out.orca:22: MonitorExit of the monitor 0000000C, which the thread does not own\n",
           AppendEvents({MakeEvent("MonitorExit", kMain)})},
          {RULE_MONITOR_ALONE,
           "out.orca:24: MonitorExit of the monitor 0000000C, which the thread does not own\n",
           AppendEvents({MakeEvent("MonitorEntered", kMain), MakeEvent("MonitorExit", kMain),
                         MakeEvent("MonitorExit", kMain)})},
          {RULE_MONITOR_KEPT, "out.orca:23: the thread 0000000A ended while it owned a monitor\n",
           AppendEvents({MakeEvent("MonitorEntered", kMain), "ThreadEnded,0000000A"})},
          {RULE_METHOD_ALONE,
           "out.orca:22: MethodExit of the thread 0000000A without a "
           "MethodEntry\n",
           AppendEvents({MakeExit(kMain)})},
          {RULE_METHOD_OTHER,
           "out.orca:24: MethodExit of the thread 0000000A does not match its innermost call\n",
           AppendEvents({MakeEntry(kMain), MakeEntry(kMainTwice), MakeExit(kMain)})},
          {RULE_EVENT_CLASS,
           "out.orca:23: the class 000000FF of the event has no line in .classtable\n",
           AppendEvents({MakeEntry(kMain), MakeExit(kMain, "000000FF")})},
          {RULE_METHOD_OPEN,
           "out.orca:24: the thread 0000000A ended inside a method of the option track\n",
           AppendEvents(
               {MakeEntry(kMain), MakeEvent("ObjectNotify", kInMain), "ThreadEnded,0000000A"})},
      });
}

void ExpectNoFaults(
    const std::function<void(DumpFiles *)> &events,
    const std::function<void(DumpFiles *)> &more = [](DumpFiles *) {}) {
  DumpFiles files;
  WriteGoodDump(&files);
  events(&files);
  more(&files);
  EXPECT_EQ(Joined(Check(files).lines), "");
}

// The hooks of the monitor and of the method can go while the thread is inside.
TEST(CheckInside, AcceptsOpenMonitorsAndMethodsIfTheHooksMayHaveGone) {
  const std::pair<const char *, std::string> cases[] = {
      {"monitors=all", MakeEvent("MonitorEntered", kMain)},
      {"filter=com.acme.*", MakeEvent("MonitorEntered", kMain)},
      {"track=Cart.add", MakeEntry(kMain)},
  };
  for (const auto &[change, event] : cases) {
    SCOPED_TRACE(change);
    ExpectNoFaults(AppendEvents({event, "ThreadEnded,0000000A"}), [&](DumpFiles *files) {
      files->Replace(
          DUMP_INFO, "pid=4711\n",
          std::string("pid=4711\nchange=150.0000000000,150.0000000001,set,") + change + "\n");
    });
  }
}

TEST(CheckInside, AcceptsEventsInsideOfACall) {
  ExpectNoFaults(AppendEvents({MakeEvent("ObjectWait", kWait), MakeEvent("ObjectNotify", kInWait),
                               MakeEvent("ObjectWait",
                                         "4;00000001;FFFFFFFF;00000009;00000000;00000001;FFFFFFFF;"
                                         "00000009;00000000"),
                               MakeEvent("ObjectWaited", "0"), MakeEvent("ObjectWaited", kWait)}));
}

TEST(CheckInside, AcceptsAWakeUpWithoutAStackInsideOfACall) {
  ExpectNoFaults(AppendEvents({MakeEvent("ObjectWait", kWait), "ThreadUnpark,0000000A,0000000B,0",
                               MakeEvent("ObjectWaited", kWait)}));
}

TEST(CheckInside, AcceptsANestedEventIfItsStackMayBeCut) {
  auto events = AppendEvents({MakeEvent("ObjectWait", kWait), MakeEvent("ObjectNotify", kInMain)});
  ExpectNoFaults(events, Replaced(DUMP_INFO, "overflow=wait", "depth=2,overflow=wait"));
  DumpFiles files;
  WriteGoodDump(&files);
  events(&files);
  files.Replace(DUMP_INFO, "overflow=wait", "depth=3,overflow=wait");
  EXPECT_NE(Joined(Check(files).lines), "");
}

TEST(CheckInside, AcceptsMonitorsAndMethodsThatOverlap) {
  ExpectNoFaults(AppendEvents(
      {MakeEvent("MonitorEnter", kMain), MakeEvent("MonitorEntered", kMain), MakeEntry(kMain),
       MakeEvent("ObjectWait", kWait), MakeEvent("MonitorEntered", kMain),
       "MonitorEntered,0000000A,0000000D,0", MakeEntry(kMainTwice), MakeEvent("MonitorExit", kMain),
       MakeEvent("MonitorExit", kMain), MakeEvent("ObjectWaited", kWait),
       MakeExit(kMainTwice, "000000C4"), "MonitorExit,0000000A,0000000D,0", MakeExit(kMain),
       "ThreadEnded,0000000A"}));
}

}  // namespace
