#include "tools/orca/model/guards.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

// Monitors in Inventory.reserve (stack 12) and OrderService.price (stack 10): A1 is an Inventory,
// A2 and A3 are no objects of either class.
class Guards : public testing::Test {
 protected:
  void Do(int thread, const char *event, const char *object, const char *method = "12") {
    char line[120];
    snprintf(line, sizeof line, "10%d.%03d0000000,%s,%08X,000000%s,1;000000%s;00000000\n",
             ms_ / 1000, ms_ % 1000, event, thread, object, method);
    ms_++;
    events_ += line;
  }
  void Enter(int thread, const char *object, const char *method = "12") {
    Do(thread, "MonitorEntered", object, method);
  }
  void Exit(int thread, const char *object) { Do(thread, "MonitorExit", object); }
  // What is known of Inventory.
  const struct guard *End() {
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

TEST_F(Guards, TwoAtATime) {
  for (int i = 0; i < 3; i++) {
    Enter(1, "A1"), Enter(2, "A2");
    Exit(1, "A1"), Exit(2, "A2");
    Enter(2, "A2"), Enter(1, "A1");
    Exit(1, "A1"), Exit(2, "A2");
  }
  const struct guard *g = End();
  ASSERT_NE(g, nullptr);
  EXPECT_FALSE(g->several);
  EXPECT_EQ(g->own, 0xA1u);
  EXPECT_EQ(g->other, 0xA2u);
  EXPECT_EQ(g->own_times, 6u);
  EXPECT_EQ(g->other_times, 6u);
  EXPECT_EQ(g->meetings, 6u);
  EXPECT_EQ(g->own_place, place(0x12, 42));
}

TEST_F(Guards, OneAfterTheOther) {
  Enter(1, "A1"), Exit(1, "A1");
  Enter(2, "A2"), Exit(2, "A2");
  EXPECT_EQ(End()->meetings, 0u);
}

TEST_F(Guards, WhoeverHasBothIsAlone) {
  Enter(1, "A1");
  Enter(1, "A2"), Enter(1, "A2"), Exit(1, "A2"), Exit(1, "A2");
  Enter(2, "A2");
  Exit(2, "A2"), Exit(1, "A1");
  EXPECT_EQ(End()->meetings, 1u);  // only that 2 came in while 1 had but A1
}

TEST_F(Guards, WhoWaitsInsideHasGivenItAway) {
  Enter(1, "A1");
  Do(1, "ObjectWait", "A1");
  Enter(2, "A2"), Exit(2, "A2");
  Do(1, "ObjectWaited", "A1");
  Exit(1, "A1");
  EXPECT_EQ(End()->meetings, 0u);
}

TEST_F(Guards, MoreThanOneOtherIsNotTold) {
  Enter(1, "A1"), Enter(2, "A2"), Exit(2, "A2"), Enter(2, "A3"), Exit(2, "A3"), Exit(1, "A1");
  EXPECT_TRUE(End()->several);
}

TEST_F(Guards, TheCodeOfAnotherClassIsAnotherMatter) {
  Enter(1, "A1"), Enter(2, "A2", "10");
  const struct guard *g = End();
  EXPECT_EQ(g->meetings, 0u);
  EXPECT_EQ(g->other, 0u);
}

TEST_F(Guards, NothingWhereEventsMayBeMissing) {
  small_.files.Replace(DUMP_INFO, "events.dropped=0", "events.dropped=1");
  Enter(1, "A1"), Enter(2, "A2");
  EXPECT_EQ(End(), nullptr);
}

}  // namespace
