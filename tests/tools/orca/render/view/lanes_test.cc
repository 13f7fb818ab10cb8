#include "tests/tools/orca/render/view/lanes.h"

namespace {

// The lanes in 20 steps.
std::string Lanes(const char *thread, ticks_t from = 0, ticks_t to = FILTER_NO_END) {
  SmallLanes lanes(thread, from, to);
  struct style style = {42, false, false};
  struct builder b = {};
  EXPECT_EQ(view_lanes_steps(&style), 20u);
  view_lanes(&b, lanes.model, &style, &lanes.timeline, false);
  return TakeText(&b);
}

// main waits from 4 s to 5.5 s, and joins from 7 s to the end at 10 s. A step is half a second.
TEST(ViewLanes, AStepShowsTheStateWithTheMostTime) {
  EXPECT_EQ(Lanes("main"),
            "\n"
            "Timeline\n"
            "                      0 s           10.0 s\n"
            "main                  ~~~~~~~~···~~~······\n"
            "One character is 500 ms and shows the\n"
            "state with the most time: █ running, ▒\n"
            "runnable, X blocked, · waiting, - parked,\n"
            "z sleeping, o in I/O, ? not seen, ~ in no\n"
            "call\n");
}

TEST(ViewLanes, CoversTheTimeOfTheFilter) {
  std::string text = Lanes("main", 103 * kSecond, 105 * kSecond);
  EXPECT_TRUE(Has(text, "                      3.00 s        5.00 s\n")) << text;
  EXPECT_TRUE(Has(text, "main                  ~~~~~~~~~~··········\n")) << text;
  EXPECT_TRUE(Has(text, "One character is 100 ms and")) << text;
}

// The poller begins at 0.2 s and ends at 9 s.
TEST(ViewLanes, IsEmptyOutsideAThreadsLife) {
  std::string text = Lanes("poller");
  EXPECT_TRUE(Has(text, "poller                oooooooooooooooooo\n")) << text;
}

TEST(ViewLanes, NoThreadsNoTimeline) { EXPECT_EQ(Lanes("nobody"), ""); }

TEST(ViewLanes, FillsTheWidthOfThePage) {
  struct style style = {100, false, false};
  EXPECT_EQ(view_lanes_steps(&style), 78u);
  style.width = 10;
  EXPECT_EQ(view_lanes_steps(&style), 20u);
}

}  // namespace
