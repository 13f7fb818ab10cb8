#include "tests/tools/orca/answer/said.h"

namespace {

const Kinds kKinds = {FINDING_useless_wakeups, FINDING_unfair, FINDING_joins, FINDING_pinned};
constexpr char kStack[] = ",2;00000001;FFFFFFFF;00000011;00000000\n";

// Events on the object A2, 10 µs apart.
class FindWakeups : public testing::Test {
 protected:
  void AddEvent(const char *event, int thread) {
    char text[80];
    snprintf(text, sizeof text, "101.%06d0000,%s,%08X,000000A2", us_ += 10, event, thread);
    events_ += text + std::string(kStack);
  }
  // Two threads are woken. `works` can continue, `goes_back` waits again at once.
  void AddRound(int works, int goes_back, bool releases_are_known = true) {
    for (int thread : {works, goes_back}) {
      if (releases_are_known) AddEvent("MonitorEntered", thread);
      AddEvent("ObjectWait", thread);
    }
    AddEvent("ObjectNotifyAll", 1);
    AddEvent("ObjectWaited", works);
    AddEvent("ObjectNotify", works);
    AddEvent("ObjectWaited", goes_back), AddEvent("ObjectWait", goes_back);
    AddEvent("ObjectNotifyAll", 1), AddEvent("ObjectWaited", goes_back),
        AddEvent("ObjectNotify", goes_back);
  }
  std::string Findings() {
    small_.files.Write(DUMP_EVENTS,
                       "100.0000000000,ThreadStarted,00000002,worker-1\n"
                       "100.0000000001,ThreadStarted,00000003,worker-2\n" +
                           events_);
    return Say(small_.Read(), kKinds);
  }

  SmallModel small_;
  std::string events_;
  int us_ = 0;
};

TEST_F(FindWakeups, ReportsUselessWakeups) {
  for (int i = 0; i < 50; i++) AddRound(2, 3);
  EXPECT_EQ(Findings(),
            "* notify and notifyAll on java.lang.Object@000000A2 woke 1.5 threads per call, of "
            "which 1.0 could go on: 33 % of the wake-ups were useless (50 of 150 went "
            "straight back to waiting), at OrderService.run (OrderService.java:20).\n");
}

TEST_F(FindWakeups, FewUselessWakeupsAreNoFinding) {
  for (int i = 0; i < 49; i++) AddRound(2, 3);
  EXPECT_EQ(Findings(), "");
}

// A method that waits once and is called in a loop looks the same.
TEST_F(FindWakeups, SaysNothingIfReleasesAreNotRecorded) {
  for (int i = 0; i < 50; i++) AddRound(2, 3, false);
  EXPECT_EQ(Findings(), "");
}

TEST_F(FindWakeups, ReportsUnfairWakeups) {
  for (int i = 0; i < 110; i++) {
    AddEvent("ObjectWait", 2), AddEvent("ObjectNotify", 1), AddEvent("ObjectWaited", 2),
        AddEvent("ObjectNotify", 2);
  }
  AddEvent("ObjectWait", 3);
  us_ += 500000;
  AddEvent("ObjectNotify", 1), AddEvent("ObjectWaited", 3);
  EXPECT_EQ(Findings(),
            "* Unfair: of 2 threads that waited on java.lang.Object@000000A2 at OrderService.run "
            "(OrderService.java:20), worker-1 got through 110 times, worker-2 1 time (it waited up "
            "to 500 ms).\n");
}

TEST_F(FindWakeups, AThreadThatWaitsLessIsNotTreatedUnfairly) {
  for (int i = 0; i < 110; i++) {
    AddEvent("ObjectWait", 2), AddEvent("ObjectNotify", 1), AddEvent("ObjectWaited", 2),
        AddEvent("ObjectNotify", 2);
  }
  AddEvent("ObjectWait", 3), AddEvent("ObjectNotify", 1), AddEvent("ObjectWaited", 3);
  EXPECT_EQ(Findings(), "");
}

TEST_F(FindWakeups, ReportsLongJoinsOfSeveralThreads) {
  SmallModel small;
  std::string events;
  for (int thread = 1; thread <= 3; thread++) {
    for (int i = 0; i < 3; i++) {
      char text[160];
      snprintf(text, sizeof text,
               "10%d.%d000000000,ThreadJoin,%08X,00000004,2;00000004;00000000;00000011;00000000\n"
               "10%d.%d000000000,ThreadJoined,%08X,00000004,0\n",
               i * 3 + 1, thread, thread, i * 3 + 3, thread, thread);
      events += text;
    }
  }
  small.files.Write(DUMP_EVENTS, events);
  std::string text = Say(small.Read(), kKinds);
  EXPECT_TRUE(Has(text, "* 3 threads spent 18.0 s in Thread.join (9 times), at OrderService.run "))
      << text;
}

// The threads of short calls are not known.
TEST_F(FindWakeups, LeaveOutShortJoins) {
  AddShortCalls(&small_.files);
  small_.files.Append(DUMP_COUNTS,
                      "109.6000000000,ThreadJoin,00000002,9000,9000000000,5000000,0\n");
  EXPECT_EQ(Say(small_.Read(), kKinds), "");
}

// In the small dump one thread calls join.
TEST_F(FindWakeups, OneJoinIsNoFinding) { EXPECT_EQ(Say(small_.Read(), kKinds), ""); }

TEST(FindPinned, CountsPinnedVirtualThreads) {
  SmallModel small;
  EXPECT_EQ(Say(small.Read(), {FINDING_pinned}), "");
  SmallModel pinned;
  pinned.files.Append(DUMP_EVENTS,
                      "109.1000000000,ThreadPinned,00000002,2;00000001;FFFFFFFF;00000012;00000000\n"
                      "109.2000000000,ThreadPinned,00000003,2;00000001;FFFFFFFF;00000012;00000000\n"
                      "109.3000000000,ThreadPinned,00000003,0\n");
  EXPECT_EQ(Say(pinned.Read(), {FINDING_pinned}),
            "* Virtual threads were pinned 3 times, which also blocks their carrier threads: "
            "at Inventory.reserve (Inventory.java:42) 67 %, an unknown place 33 "
            "%.\n");
}

}  // namespace
