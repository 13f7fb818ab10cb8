#include "tests/tools/orca/render/view/shown.h"

namespace {

std::string Tree(const struct view_tree &options, enum profile_value value = PROFILE_CPU,
                 size_t top = 100, enum format format = FORMAT_TEXT) {
  SmallModel small;
  const struct model *m = small.Read();
  return ShowPage([&](struct page *p) { view_call_tree(p, m, value, &options, top); }, format);
}

TEST(ViewCallTree, RecursionIsOneRow) {
  EXPECT_EQ(Tree({nullptr, false, 0.01}),
            "\n"
            "Calls by CPU time, 1.00 s in all (below each its callees)\n"
            "total            self  calls\n"
            " 99 %  990 ms     0 s  OrderService.run\n"
            " 99 %  990 ms  690 ms  └ OrderService.price ×2\n"
            " 30 %  300 ms  300 ms  └ HashMap.get\n"
            "    ×N: the method calls itself, up to N calls deep\n");
}

// Method 12 (reserve) calls 10 (price) and 13 (get). get calls 11 (run). run calls 5 and 6.
TEST(ViewCallTree, BranchesAreIndentedAndChainsOnce) {
  SmallModel small;
  std::string head = "101.0000000000,Stack,", tail = ";00000012;00000000\n";
  std::string run = ";00000011;00000000;00000013;00000000";
  small.files.Write(DUMP_SAMPLES, head + "1,2;00000010;00000000" + tail +
                                      "101.0000000000,Sample,00000002,Runnable,10000000,1\n" +
                                      head + "2,4;00000005;00000000" + run + tail +
                                      "101.0000000000,Sample,00000002,Runnable,20000000,2\n" +
                                      head + "3,4;00000006;00000000" + run + tail +
                                      "101.0000000000,Sample,00000002,Runnable,30000000,3\n");
  const struct model *m = small.Read();
  struct view_tree options = {nullptr, false, 0};
  EXPECT_EQ(ShowPage([&](struct page *p) { view_call_tree(p, m, PROFILE_CPU, &options, 100); }),
            "\n"
            "Calls by CPU time, 60.0 ms in all (below each its callees)\n"
            "total              self  calls\n"
            "100 %  60.0 ms      0 s  Inventory.reserve\n"
            " 83 %  50.0 ms      0 s  ├ HashMap.get\n"
            " 83 %  50.0 ms      0 s  │ └ OrderService.run\n"
            " 50 %  30.0 ms  30.0 ms  │   ├ Semaphore.release\n"
            " 33 %  20.0 ms  20.0 ms  │   └ Semaphore.acquire\n"
            " 17 %  10.0 ms  10.0 ms  └ OrderService.price\n");
}

TEST(ViewCallTree, LeavesOutCheapNodes) {
  std::string text = Tree({nullptr, false, 0.35});
  EXPECT_TRUE(Has(text, "690 ms  └ OrderService.price ×2\n")) << text;
  EXPECT_FALSE(Has(text, "HashMap.get"));
}

TEST(ViewCallTree, TopLimitsTheRows) {
  std::string text = Tree({nullptr, false, 0}, PROFILE_CPU, 2);
  EXPECT_TRUE(Has(text, "└ OrderService.price ×2\n    and 1 more\n")) << text;
}

TEST(ViewCallTree, ShowsATreePerThread) {
  EXPECT_EQ(Tree({nullptr, true, 0}, PROFILE_BLOCKED),
            "\n"
            "Calls by time until they had a lock, 5.12 s in all (below each its callees)\n"
            "total            self  calls\n"
            " 54 %  2.75 s     0 s  thread worker-1\n"
            " 54 %  2.75 s     0 s  └ OrderService.run\n"
            " 54 %  2.75 s  2.75 s  └ Inventory.reserve\n"
            " 46 %  2.38 s     0 s  thread worker-2\n"
            " 32 %  1.62 s     0 s  ├ OrderService.run\n"
            " 32 %  1.62 s  1.62 s  │ └ OrderService.price\n"
            " 15 %  750 ms     0 s  └ OrderService.price\n"
            " 15 %  750 ms  750 ms    └ Semaphore.acquire\n");
}

TEST(ViewCallTree, MatchingMethodsShowTheirParameters) {
  std::string text = Tree({"get", false, 0});
  EXPECT_TRUE(Has(
      text,
      "Callers by CPU time, 300 ms in all (below each its callers; self: of the matching method)"))
      << text;
  EXPECT_TRUE(Has(text, "300 ms  HashMap.get()\n")) << text;
  EXPECT_TRUE(Has(text, "300 ms  └ OrderService.run\n")) << text;
}

// Two stacks that were cut share one root, which is also the last caller of a method.
TEST(ViewCallTree, CutStacksShareARoot) {
  SmallModel small;
  small.files.Replace(DUMP_INFO, "options=out,", "options=out,depth=1,");
  small.files.Write(DUMP_SAMPLES,
                    "101.0000000000,Stack,1,2;00000010;00000000;00000000;00000000\n"
                    "101.0000000000,Stack,2,2;00000012;00000000;00000000;00000000\n"
                    "101.0000000000,Cpu,00000002,30000000,1,Java\n"
                    "101.0000000000,Cpu,00000002,30000000,2,Vm\n");
  const struct model *m = small.Read();
  struct view_tree down = {nullptr, false, 0}, up = {"reserve", false, 0};
  EXPECT_EQ(ShowPage([&](struct page *p) { view_call_tree(p, m, PROFILE_CPU, &down, 100); }),
            "\n"
            "Calls by CPU time, 60.0 ms in all (below each its callees)\n"
            "total              self  calls\n"
            "100 %  60.0 ms      0 s  (deeper than 1)\n"
            " 50 %  30.0 ms  30.0 ms  ├ OrderService.price\n"
            " 50 %  30.0 ms      0 s  └ Inventory.reserve\n"
            " 50 %  30.0 ms  30.0 ms    └ (JVM)\n");
  EXPECT_EQ(ShowPage([&](struct page *p) { view_call_tree(p, m, PROFILE_CPU, &up, 100); }),
            "\n"
            "Callers by CPU time, 30.0 ms in all (below each its callers; self: of the "
            "matching method)\n"
            "total              self  calls\n"
            "100 %  30.0 ms  30.0 ms  Inventory.reserve()\n"
            "100 %  30.0 ms  30.0 ms  └ (deeper than 1)\n");
}

TEST(ViewCallTree, CsvHasTheDepth) {
  EXPECT_EQ(Tree({nullptr, false, 0.35}, PROFILE_CPU, 100, FORMAT_CSV),
            "total_ns,self_ns,depth,name,recursion\n"
            "990000000,0,0,OrderService.run,1\n"
            "990000000,690000000,1,OrderService.price,2\n");
}

}  // namespace
