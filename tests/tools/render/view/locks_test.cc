#include "tests/tools/render/view/shown.h"

namespace {

TEST(ViewLocks, HowLongWhereAndWho) {
  SmallModel small;
  EXPECT_EQ(Shown(small.Read(), view_locks),
            "\n"
            "Monitors by the time that threads were blocked on them\n"
            "lock                         blocked   total    mean  longest\n"
            "com.acme.Inventory@000000A1        4  2.88 s  719 ms   2.00 s\n"
            "    at Inventory.reserve (Inventory.java:42) 96 %, OrderService.price "
            "(OrderService.java:88) 4.3 %\n"
            "    1 thread STILL BLOCKED at the end; blocked: worker-1 96 %, worker-2 4.3 %\n"
            "    held by: worker-2 95 %, worker-1 4.8 %\n"
            "java.lang.Object@000000A2          1  1.50 s  1.50 s   1.50 s\n"
            "    at OrderService.price (OrderService.java:88)\n"
            "    1 thread STILL BLOCKED at the end; blocked: worker-2\n"
            "    held by: worker-1\n");
}

TEST(ViewLocks, TopBoundsTheRows) {
  SmallModel small;
  std::string text = Shown(small.Read(), view_locks, 1);
  EXPECT_FALSE(Has(text, "java.lang.Object@000000A2")) << text;
  EXPECT_TRUE(Has(text, "    and 1 more\n")) << text;
}

TEST(ViewLocks, NothingWhereNobodyBlocked) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS, "101.0000000000,ThreadStarted,00000001,main\n");
  EXPECT_EQ(Shown(small.Read(), view_locks), "");
}

}  // namespace
