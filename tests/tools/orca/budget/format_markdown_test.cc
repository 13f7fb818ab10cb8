#include "tests/tools/orca/budget/judged.h"
#include "tools/orca/budget/format.h"

namespace {

TEST(FormatMarkdown, HasATableAndTheDetails) {
  Runs runs;
  runs.Run("/tmp/a").Lock("shop.Cart at shop.Cart.add", 30, 10).Unproven(BUDGET_IO, "no samples");
  EXPECT_EQ(Judged("lock: * = 20 waits, longest 100ms\n", runs).Write(format_markdown),
            "### locks\\.budget: 1 budget is broken, 5 are kept, 1 is not proven, in 1 run\n"
            "\n"
            "| | budget | allowed | found |\n"
            "|---|---|---|---|\n"
            "| kept | lost | at most 0 |  |\n"
            "| kept | deadlock | none |  |\n"
            "| kept | order | only those in the file |  |\n"
            "| kept | value | only those in the file |  |\n"
            "| kept | sleep | only those in the file |  |\n"
            "| not proven | io | only those in the file | no samples |\n"
            "| **broken** | lock: shop\\.Cart at shop\\.Cart\\.add | at most 20 waits, longest "
            "100ms | 30 "
            "waits, longest 10\\.0 ms |\n"
            "\n"
            "#### lock: shop\\.Cart at shop\\.Cart\\.add\n"
            "\n"
            "    /tmp/a: 30 waits, longest 10.0 ms\n"
            "    Threads waited\n"
            "    more: orca locks /tmp/a\n");
}

TEST(FormatMarkdown, SaysWhyALeastNumberProvesNothing) {
  Runs runs;
  runs.Run("/tmp/a").More(10, 9).Lock("A at m", 15, 10);
  std::string text =
      Judged("lock: A at m = 20 waits, longest 100ms\n", runs).Write(format_markdown);
  EXPECT_NE(text.find("| not proven | lock: A at m | at most 20 waits, longest 100ms | at least 15 "
                      "waits, longest 10\\.0 ms; the recording has sums"),
            std::string::npos)
      << text;
}

// Every row of the table has the same number of cells, whatever the names are.
TEST(FormatMarkdown, AcceptsAnyName) {
  Runs runs;
  runs.Run(HostileName()).Add(BUDGET_IO, HostileName() + "\n# no heading", 1, 0, HostileName());
  std::string text = Judged("", runs).Write(format_markdown);
  EXPECT_NE(text.find("| io: a&lt;b\\>&amp;\"c\"\\|'d'\\`e\\`"), std::string::npos) << text;
  EXPECT_EQ(text.find("\n# no heading"), std::string::npos) << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\xff'), std::string::npos);
}

}  // namespace
