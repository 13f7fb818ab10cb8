#include "tests/tools/orca/budget/judged.h"
#include "tools/orca/budget/format.h"

namespace {

TEST(FormatText, ShowsWhatIsBrokenAndSumsUp) {
  Runs runs;
  runs.Run("/tmp/a").Lock("A at m", 30, 10).Unproven(BUDGET_ORDER, "orders were not recorded");
  runs.Run("/tmp/b").Lock("A at m", 40, 20);
  EXPECT_EQ(Judged("lock: * = 20 waits, longest 100ms\n", runs).Write(format_text),
            "BROKEN  lock: A at m\n"
            "  allowed: at most 20 waits, longest 100ms (the line lock: *)\n"
            "  found in\n"
            "    /tmp/a: 30 waits, longest 10.0 ms\n"
            "    /tmp/b: 40 waits, longest 20.0 ms\n"
            "  Threads waited\n"
            "  advice: hold the lock for a shorter time, or use more than one\n"
            "  more: orca locks /tmp/b\n"
            "\n"
            "NOT PROVEN  order: orders were not recorded\n"
            "locks.budget: 1 budget is broken, 5 are kept, 1 is not proven, in 2 runs\n");
}

TEST(FormatText, SaysThatAFigureIsTheLeast) {
  Runs open, more;
  open.Run("/tmp/a").More(10, 9).Lock("A at m", 15, 10);
  EXPECT_EQ(
      Judged("lock: A at m = 20 waits, longest 100ms\n", open).Write(format_text),
      "NOT PROVEN  lock: A at m: at least 15 waits, longest 10.0 ms; the recording has sums of "
      "short waits of several locks that are not told apart: with them, a lock can have more "
      "waits than its limit allows\n"
      "locks.budget: 0 budgets are broken, 6 are kept, 1 is not proven, in 1 run\n");
  more.Run("/tmp/a").More(10, 9).Lock("A at m", 25, 10);
  std::string text = Judged("lock: A at m = 20 waits, longest 100ms\n", more).Write(format_text);
  EXPECT_NE(text.find("    /tmp/a: at least 25 waits, longest 10.0 ms\n"), std::string::npos)
      << text;
}

TEST(FormatText, IsOneLineIfAllIsWell) {
  EXPECT_EQ(Judged("", Runs().Run("a")).Write(format_text),
            "locks.budget: 0 budgets are broken, 6 are kept, in 1 run\n");
}

}  // namespace
