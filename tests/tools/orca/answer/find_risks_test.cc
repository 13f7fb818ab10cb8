#include "tests/tools/orca/answer/said.h"

namespace {

class FindRisks : public testing::Test {
 protected:
  // Adds an event 1 ms after the previous one. Its stack is one frame of `method`.
  void AddEvent(int thread, const char *event, const char *object, const char *method = "12") {
    char text[120];
    snprintf(text, sizeof text, "10%d.%03d0000000,%s,%08X,000000%s,1;000000%s;00000000\n",
             ms_ / 1000, ms_ % 1000, event, thread, object, method);
    ms_++;
    events_ += text;
  }
  void AddNested(int thread, const char *outer, const char *inner) {
    AddEvent(thread, "MonitorEntered", outer), AddEvent(thread, "MonitorEntered", inner, "10");
    AddEvent(thread, "MonitorExit", inner), AddEvent(thread, "MonitorExit", outer);
  }
  std::string Sentences() {
    small_.files.Write(DUMP_EVENTS,
                       "100.0000000000,ThreadStarted,00000002,worker-1\n"
                       "100.0000000001,ThreadStarted,00000003,worker-2\n" +
                           events_);
    return Say(small_.Read(), {FINDING_lock_order, FINDING_two_monitors, FINDING_value_as_lock});
  }

  SmallModel small_;
  std::string events_;
  int ms_ = 1;
};

TEST_F(FindRisks, ReportsALockOrderInversion) {
  AddNested(2, "A1", "A2");
  AddNested(3, "A2", "A1");
  EXPECT_EQ(Sentences(),
            "* These locks are taken in an order that can deadlock: worker-1 asks for "
            "the monitor in OrderService.price:88 (Object@000000A2) at OrderService.price "
            "(OrderService.java:88) while it "
            "holds com.acme.Inventory@000000A1, acquired at Inventory.reserve (Inventory.java:42); "
            "worker-2 asks for com.acme.Inventory@000000A1 at OrderService.price "
            "(OrderService.java:88) while it holds the monitor in OrderService.price:88 "
            "(Object@000000A2), acquired at "
            "Inventory.reserve (Inventory.java:42).\n");
}

TEST_F(FindRisks, AnOrderThatDidDeadlockIsNotReported) {
  auto block = [&](int thread, const char *object) {
    char text[120];
    snprintf(text, sizeof text,
             "102.%03d0000000,MonitorContendedEnter,%08X,000000%s,00000000,1;00000010;00000000\n",
             ms_++, thread, object);
    events_ += text;
  };
  AddEvent(2, "MonitorEntered", "A1"), AddEvent(3, "MonitorEntered", "A2");
  block(2, "A2"), block(3, "A1");
  EXPECT_EQ(Sentences(), "");
  EXPECT_EQ(small_.model.deadlocks.num_rings, 1u);
  EXPECT_EQ(small_.model.orders.num_rings, 1u);
}

TEST_F(FindRisks, ReportsCodeThatIsGuardedByTwoMonitors) {
  for (int i = 0; i < 10; i++) {
    AddEvent(2, "MonitorEntered", "A1"), AddEvent(3, "MonitorEntered", "A2");
    AddEvent(2, "MonitorExit", "A1"), AddEvent(3, "MonitorExit", "A2");
  }
  EXPECT_EQ(Sentences(),
            "* Code of com.acme.Inventory is guarded by two monitors, com.acme.Inventory@000000A1 "
            "at Inventory.reserve (Inventory.java:42) and java.lang.Object@000000A2 at "
            "Inventory.reserve (Inventory.java:42): 10 times a thread entered one while another "
            "thread was inside the other. If they guard the same data, one of them is the wrong "
            "monitor.\n");
}

TEST_F(FindRisks, NineMeetingsAreNotReported) {
  for (int i = 0; i < 9; i++) {
    AddEvent(2, "MonitorEntered", "A1"), AddEvent(3, "MonitorEntered", "A2");
    AddEvent(2, "MonitorExit", "A1"), AddEvent(3, "MonitorExit", "A2");
  }
  EXPECT_EQ(Sentences(), "");
}

// A String is reported once code of two classes waits for it, but not before.
TEST_F(FindRisks, ReportsALiteralThatTwoClassesLock) {
  small_.files.Replace(DUMP_CLASSES, "Ljava/lang/Object;", "Ljava/lang/String;");
  auto wait = [&](int thread, const char *object, const char *method) {
    char text[120];
    snprintf(text, sizeof text,
             "102.%03d0000000,MonitorContendedEnter,%08X,000000%s,00000000,1;000000%s;00000000\n",
             ms_, thread, object, method);
    events_ += text;
    snprintf(text, sizeof text, "102.%03d5000000,MonitorContendedEntered,%08X,000000%s,0\n", ms_++,
             thread, object);
    events_ += text;
  };
  wait(2, "A2", "12"), wait(2, "A2", "12");
  EXPECT_EQ(Sentences(), "");
  wait(3, "A2", "10");
  EXPECT_EQ(
      Sentences(),
      "* java.lang.String@000000A2 is locked by code of com.acme.Inventory (at "
      "Inventory.reserve (Inventory.java:42)) and of com.acme.OrderService (at "
      "OrderService.price (OrderService.java:88)): literals of the same value are one object, "
      "so classes that have nothing to do with each other share one lock.\n");
}

}  // namespace
