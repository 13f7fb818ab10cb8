#include "tests/tools/orca/render/view/shown.h"

namespace {

class ViewSharing : public testing::Test {
 protected:
  // An event 1 ms behind the one before; the stack is one frame of a method.
  void Do(int thread, const char *event, const char *object, const char *method = "12") {
    char text[120];
    snprintf(text, sizeof text, "10%d.%03d0000000,%s,%08X,000000%s,1;000000%s;00000000\n",
             ms_ / 1000, ms_ % 1000, event, thread, object, method);
    ms_++;
    events_ += text;
  }
  void Nest(int thread, const char *outer, const char *inner) {
    Do(thread, "MonitorEntered", outer), Do(thread, "MonitorEntered", inner, "10");
    Do(thread, "MonitorExit", inner), Do(thread, "MonitorExit", outer);
  }
  std::string Said() {
    small_.files.Write(DUMP_EVENTS,
                       "100.0000000000,ThreadStarted,00000002,worker-1\n"
                       "100.0000000001,ThreadStarted,00000003,worker-2\n" +
                           events_);
    std::string text = Shown(small_.Read(), view_sharing);
    for (size_t at; (at = text.find("\n  ")) != std::string::npos;) text.replace(at, 3, " ");
    return text;
  }

  SmallModel small_;
  std::string events_;
  int ms_ = 1;
};

TEST_F(ViewSharing, AnOrderThatCanDeadlock) {
  Nest(2, "A1", "A2");
  Nest(3, "A2", "A1");
  EXPECT_EQ(Said(),
            "* These locks are taken in an order that can deadlock: worker-1 asks for "
            "java.lang.Object@000000A2 at OrderService.price (OrderService.java:88) while it has "
            "com.acme.Inventory@000000A1 from Inventory.reserve (Inventory.java:42); worker-2 asks "
            "for com.acme.Inventory@000000A1 at OrderService.price (OrderService.java:88) while it "
            "has java.lang.Object@000000A2 from Inventory.reserve (Inventory.java:42).\n");
}

TEST_F(ViewSharing, WhatHappenedIsNotWarnedOf) {
  auto block = [&](int thread, const char *object) {
    char text[120];
    snprintf(text, sizeof text,
             "102.%03d0000000,MonitorContendedEnter,%08X,000000%s,00000000,1;00000010;00000000\n",
             ms_++, thread, object);
    events_ += text;
  };
  Do(2, "MonitorEntered", "A1"), Do(3, "MonitorEntered", "A2");
  block(2, "A2"), block(3, "A1");
  EXPECT_EQ(Said(), "");
  EXPECT_EQ(small_.model.deadlocks.num_rings, 1u);
  EXPECT_EQ(small_.model.orders.num_rings, 1u);
}

TEST_F(ViewSharing, TwoMonitorsWhereOneWasMeant) {
  for (int i = 0; i < 10; i++) {
    Do(2, "MonitorEntered", "A1"), Do(3, "MonitorEntered", "A2");
    Do(2, "MonitorExit", "A1"), Do(3, "MonitorExit", "A2");
  }
  EXPECT_EQ(Said(),
            "* Code of com.acme.Inventory is guarded by two monitors, com.acme.Inventory@000000A1 "
            "at Inventory.reserve (Inventory.java:42) and java.lang.Object@000000A2 at "
            "Inventory.reserve (Inventory.java:42): 10 times a thread came into one while another "
            "thread was inside of the other. If they guard the same data, one of them is the wrong "
            "monitor.\n");
}

TEST_F(ViewSharing, NineTimesIsNotWorthAWord) {
  for (int i = 0; i < 9; i++) {
    Do(2, "MonitorEntered", "A1"), Do(3, "MonitorEntered", "A2");
    Do(2, "MonitorExit", "A1"), Do(3, "MonitorExit", "A2");
  }
  EXPECT_EQ(Said(), "");
}

// Two classes wait for a String; for one that only one class waits for nothing is said.
TEST_F(ViewSharing, ALiteral) {
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
  EXPECT_EQ(Said(), "");
  dump_close(small_.dump);
  model_free(&small_.model);
  wait(3, "A2", "10");
  EXPECT_EQ(
      Said(),
      "* java.lang.String@000000A2 is locked by code of com.acme.Inventory (at "
      "Inventory.reserve (Inventory.java:42)) and of com.acme.OrderService (at "
      "OrderService.price (OrderService.java:88)): literals of the same value are one object, "
      "so classes that have nothing to do with each other share one lock.\n");
}

}  // namespace
