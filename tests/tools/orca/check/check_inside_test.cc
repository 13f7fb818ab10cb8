#include "tests/support/check_dump.h"

namespace {

// Some more events, a time each, and the count of .info with them. Before them the thread A is in
// no call, B in Thread.sleep.
std::function<void(DumpFiles *)> Events(std::vector<std::string> lines) {
  return [=](DumpFiles *files) {
    int n = 100;
    for (const std::string &line : lines) {
      files->Append(DUMP_EVENTS, "200.0000000" + std::to_string(n++) + "," + line + "\n");
    }
    files->Replace(DUMP_INFO, "events.written=21",
                   "events.written=" + std::to_string(21 + lines.size()));
  };
}

// Stacks: wait, and main that calls it; notify in main, and in main that wait calls.
const char kWait[] = "2;00000001;FFFFFFFF;00000009;00000000";
const char kInWait[] = "3;00000002;FFFFFFFF;00000009;00000000;00000001;FFFFFFFF";
const char kInMain[] = "2;00000002;FFFFFFFF;00000009;00000000";
const char kMain[] = "1;00000009;00000000";
const char kMainTwice[] = "2;00000009;00000000;00000009;00000008";

std::string Of(const char *event, const char *stack) {
  return std::string(event) + ",0000000A,0000000C," + stack;
}
std::string Entry(const char *stack) { return std::string("MethodEntry,0000000A,") + stack; }
std::string Exit(const char *stack, const char *thrown = "00000000") {
  return std::string("MethodExit,0000000A,") + thrown + ",-1," + stack;
}

TEST(CheckInside, RefusesCallsThatDoNotNest) {
  ExpectRefusals(
      RULE_NESTED, RULE_EXIT_MISSING,
      {
          {RULE_NESTED,
           "out.orca:22: ThreadSleep inside a tracked method of the same thread that does not "
           "call it\n",
           Event("ThreadSleep,0000000B,0")},
          {RULE_NESTED,
           "out.orca:23: ObjectNotify inside a tracked method of the same thread that does not "
           "call it\n",
           Events({Of("ObjectWait", kWait), Of("ObjectNotify", kInMain)})},
          {RULE_EXIT_ALONE, "out.orca:22: ThreadSlept without its entry\n",
           Event("ThreadSlept,0000000A,0")},
          {RULE_EXIT_ALONE, "out.orca:22: ObjectWaited without its entry\n",
           Event("ObjectWaited,0000000B,0000000C,0")},
          {RULE_EXIT_OTHER, "out.orca:16: ObjectWaited names another object than its entry\n",
           Replaced(DUMP_EVENTS, "ObjectWaited,0000000A,0000000C",
                    "ObjectWaited,0000000A,0000000D")},
          {RULE_EXIT_MISSING, "out.orca:22: the thread 0000000B ended inside a tracked method\n",
           Event("ThreadEnded,0000000B")},
      });
}

TEST(CheckInside, RefusesMonitorsAndMethodsThatDoNotNest) {
  ExpectRefusals(
      RULE_MONITOR_ALONE, RULE_METHOD_OPEN,
      {
          {RULE_MONITOR_ALONE,
           "out.orca:22: MonitorExit of the monitor 0000000C, which the thread has not\n",
           Events({Of("MonitorExit", kMain)})},
          {RULE_MONITOR_ALONE,
           "out.orca:24: MonitorExit of the monitor 0000000C, which the thread has not\n",
           Events(
               {Of("MonitorEntered", kMain), Of("MonitorExit", kMain), Of("MonitorExit", kMain)})},
          {RULE_MONITOR_KEPT,
           "out.orca:23: the thread 0000000A ended with a monitor that it did not leave\n",
           Events({Of("MonitorEntered", kMain), "ThreadEnded,0000000A"})},
          {RULE_METHOD_ALONE,
           "out.orca:22: MethodExit of the thread 0000000A without a "
           "MethodEntry\n",
           Events({Exit(kMain)})},
          {RULE_METHOD_OTHER,
           "out.orca:24: MethodExit of another call than the one that the thread 0000000A is in\n",
           Events({Entry(kMain), Entry(kMainTwice), Exit(kMain)})},
          {RULE_METHOD_THROWN,
           "out.orca:23: the class 000000FF of what was thrown has no line in .classtable\n",
           Events({Entry(kMain), Exit(kMain, "000000FF")})},
          {RULE_METHOD_OPEN,
           "out.orca:24: the thread 0000000A ended inside a method of the option track\n",
           Events({Entry(kMain), Of("ObjectNotify", kInMain), "ThreadEnded,0000000A"})},
      });
}

void ExpectRight(
    const std::function<void(DumpFiles *)> &events,
    const std::function<void(DumpFiles *)> &more = [](DumpFiles *) {}) {
  DumpFiles files;
  WriteGoodDump(&files);
  events(&files);
  more(&files);
  EXPECT_EQ(Joined(Check(files).lines), "");
}

TEST(CheckInside, WhatTheProgramDoesInsideOfACall) {
  ExpectRight(Events({Of("ObjectWait", kWait), Of("ObjectNotify", kInWait),
                      Of("ObjectWait",
                         "4;00000001;FFFFFFFF;00000009;00000000;00000001;FFFFFFFF;"
                         "00000009;00000000"),
                      Of("ObjectWaited", "0"), Of("ObjectWaited", kWait)}));
}

TEST(CheckInside, ACutStackDoesNotTell) {
  auto events = Events({Of("ObjectWait", kWait), Of("ObjectNotify", kInMain)});
  ExpectRight(events, Replaced(DUMP_INFO, "overflow=wait", "depth=2,overflow=wait"));
  DumpFiles files;
  WriteGoodDump(&files);
  events(&files);
  files.Replace(DUMP_INFO, "overflow=wait", "depth=3,overflow=wait");
  EXPECT_NE(Joined(Check(files).lines), "");
}

TEST(CheckInside, MonitorsAndMethodsNestOnTheirOwn) {
  ExpectRight(
      Events({Of("MonitorEnter", kMain), Of("MonitorEntered", kMain), Entry(kMain),
              Of("ObjectWait", kWait), Of("MonitorEntered", kMain),
              "MonitorEntered,0000000A,0000000D,0", Entry(kMainTwice), Of("MonitorExit", kMain),
              Of("MonitorExit", kMain), Of("ObjectWaited", kWait), Exit(kMainTwice, "000000C4"),
              "MonitorExit,0000000A,0000000D,0", Exit(kMain), "ThreadEnded,0000000A"}));
}

}  // namespace
