#include "tools/orca/model/guards.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

// Uses monitors in Inventory.reserve (method 12) and OrderService.price (method 10). A1 is an
// Inventory; A2 and A3 are objects of other classes.
class Guards : public testing::Test {
 protected:
  void Add(int thread, const char *event, const char *object, const char *method = "12") {
    char line[120];
    snprintf(line, sizeof line, "10%d.%03d0000000,%s,%08X,000000%s,1;000000%s;00000000\n",
             ms_ / 1000, ms_ % 1000, event, thread, object, method);
    ms_++;
    events_ += line;
  }
  void Enter(int thread, const char *object, const char *method = "12") {
    Add(thread, "MonitorEntered", object, method);
  }
  void Exit(int thread, const char *object) { Add(thread, "MonitorExit", object); }
  // Reads the events, and returns the row of the class Inventory; NULL: none.
  const struct guard *FindInventory() {
    small_.files.Write(DUMP_EVENTS, events_);
    const struct guards *g = &small_.Read()->guards;
    for (size_t i = 0; i < g->num; i++) {
      if (g->rows[i].class_id == 0xC5) return &g->rows[i];
    }
    return nullptr;
  }

  SmallModel small_;
  std::string events_;
  int ms_ = 0;
};

TEST_F(Guards, CountsThreadsInsideAtTheSameTime) {
  for (int i = 0; i < 3; i++) {
    Enter(1, "A1"), Enter(2, "A2");
    Exit(1, "A1"), Exit(2, "A2");
    Enter(2, "A2"), Enter(1, "A1");
    Exit(1, "A1"), Exit(2, "A2");
  }
  const struct guard *g = FindInventory();
  ASSERT_NE(g, nullptr);
  EXPECT_FALSE(g->several);
  EXPECT_EQ(g->own, 0xA1u);
  EXPECT_EQ(g->other, 0xA2u);
  EXPECT_EQ(g->own_times, 6u);
  EXPECT_EQ(g->other_times, 6u);
  EXPECT_EQ(g->meetings, 6u);
  EXPECT_EQ(g->own_place, place(0x12, 42));
}

TEST_F(Guards, IgnoresThreadsInsideOneAfterTheOther) {
  Enter(1, "A1"), Exit(1, "A1");
  Enter(2, "A2"), Exit(2, "A2");
  EXPECT_EQ(FindInventory()->meetings, 0u);
}

TEST_F(Guards, AThreadInBothMonitorsMeetsNobody) {
  Enter(1, "A1");
  Enter(1, "A2"), Enter(1, "A2"), Exit(1, "A2"), Exit(1, "A2");
  Enter(2, "A2");
  Exit(2, "A2"), Exit(1, "A1");
  EXPECT_EQ(FindInventory()->meetings, 1u);  // 2 entered A2 when 1 was only in A1
}

TEST_F(Guards, AThreadInObjectWaitMeetsNobody) {
  Enter(1, "A1");
  Add(1, "ObjectWait", "A1");
  Enter(2, "A2"), Exit(2, "A2");
  Add(1, "ObjectWaited", "A1");
  Exit(1, "A1");
  EXPECT_EQ(FindInventory()->meetings, 0u);
}

TEST_F(Guards, MarksClassesWithSeveralOtherMonitors) {
  Enter(1, "A1"), Enter(2, "A2"), Exit(2, "A2"), Enter(2, "A3"), Exit(2, "A3"), Exit(1, "A1");
  EXPECT_TRUE(FindInventory()->several);
}

TEST_F(Guards, ClassesAreSeparate) {
  Enter(1, "A1"), Enter(2, "A2", "10");
  const struct guard *g = FindInventory();
  EXPECT_EQ(g->meetings, 0u);
  EXPECT_EQ(g->other, 0u);
}

TEST_F(Guards, IsEmptyIfEventsMayBeMissing) {
  small_.files.Replace(DUMP_INFO, "events.dropped=0", "events.dropped=1");
  Enter(1, "A1"), Enter(2, "A2");
  EXPECT_EQ(FindInventory(), nullptr);
}

}  // namespace
