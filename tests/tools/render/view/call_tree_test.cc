#include "tests/tools/render/view/shown.h"

namespace {

std::string Tree(const struct view_tree &wish, enum profile_value value = PROFILE_CPU,
                 size_t top = 100, enum format format = FORMAT_TEXT) {
  SmallModel small;
  const struct model *m = small.Read();
  return OnPage([&](struct page *p) { view_call_tree(p, m, value, &wish, top); }, format);
}

TEST(ViewCallTree, ChainsAreNotIndentedAndBranchesAre) {
  EXPECT_EQ(Tree({nullptr, false, 0.01}),
            "\n"
            "Calls by CPU time, 1.00 s in all (below each its callees)\n"
            "total            self  calls\n"
            " 99 %  990 ms     0 s  OrderService.run\n"
            " 99 %  990 ms  300 ms    OrderService.price\n"
            " 39 %  390 ms  390 ms    ├ OrderService.price\n"
            " 30 %  300 ms  300 ms    └ HashMap.get\n");
}

TEST(ViewCallTree, WhatCostsLittleIsLeftOut) {
  std::string text = Tree({nullptr, false, 0.35});
  EXPECT_TRUE(Has(text, "300 ms    OrderService.price\n")) << text;
  EXPECT_FALSE(Has(text, "HashMap.get"));
}

TEST(ViewCallTree, NoMoreRowsThanAskedFor) {
  std::string text = Tree({nullptr, false, 0}, PROFILE_CPU, 2);
  EXPECT_TRUE(Has(text, "    OrderService.price\n    and 2 more\n")) << text;
}

TEST(ViewCallTree, ThreadsAndBranches) {
  EXPECT_EQ(Tree({nullptr, true, 0}, PROFILE_BLOCKED),
            "\n"
            "Calls by time until they had a lock, 5.12 s in all (below each its callees)\n"
            "total            self  calls\n"
            " 54 %  2.75 s     0 s  thread worker-1\n"
            " 54 %  2.75 s     0 s    OrderService.run\n"
            " 54 %  2.75 s  2.75 s    Inventory.reserve\n"
            " 46 %  2.38 s     0 s  thread worker-2\n"
            " 32 %  1.62 s     0 s    ├ OrderService.run\n"
            " 32 %  1.62 s  1.62 s    │ OrderService.price\n"
            " 15 %  750 ms     0 s    └ OrderService.price\n"
            " 15 %  750 ms  750 ms      Semaphore.acquire\n");
}

TEST(ViewCallTree, CallersAndTheirParameters) {
  std::string text = Tree({"get", false, 0});
  EXPECT_TRUE(Has(text, "Callers by CPU time, 300 ms in all (below each its callers)")) << text;
  EXPECT_TRUE(Has(text, "     0 s  HashMap.get()\n")) << text;
  EXPECT_TRUE(Has(text, "300 ms    OrderService.run\n")) << text;
}

TEST(ViewCallTree, ForAProgram) {
  EXPECT_EQ(Tree({nullptr, false, 0.35}, PROFILE_CPU, 100, FORMAT_CSV),
            "total_ns,self_ns,depth,name\n"
            "990000000,0,0,OrderService.run\n"
            "990000000,300000000,1,OrderService.price\n"
            "390000000,390000000,2,OrderService.price\n");
}

}  // namespace
