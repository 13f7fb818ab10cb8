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

TEST(FormatText, IsOneLineIfAllIsWell) {
  EXPECT_EQ(Judged("", Runs().Run("a")).Write(format_text),
            "locks.budget: 0 budgets are broken, 6 are kept, in 1 run\n");
}

}  // namespace
