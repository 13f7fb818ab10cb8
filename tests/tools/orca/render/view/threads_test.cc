#include "tests/tools/orca/render/view/shown.h"

namespace {

TEST(ViewThreads, ShowsSharesAndCounts) {
  SmallModel small;
  EXPECT_EQ(ShowView(small.Read(), view_threads),
            "\n"
            "Threads: shares of their time by the samples, and how often by the events\n"
            "thread    hash       lived      CPU  runs  blocked  waits  sleeps    I/O  blocked  "
            "waited  slept\n"
            "worker-1  00000002  9.90 s   990 ms  89 %     11 %    0 %     0 %    0 %        3  "
            "     0      1\n"
            "poller    00000004  8.80 s  10.0 ms   0 %      0 %    0 %     0 %  100 %        0  "
            "     0      0\n"
            "main      00000001  10.0 s      0 s     -        -      -       -      -        0  "
            "     2      0\n"
            "worker-2  00000003  9.90 s      0 s  17 %      0 %   83 %     0 %    0 %        2  "
            "     1      0\n");
}

TEST(ViewThreads, TopLimitsTheRows) {
  SmallModel small;
  std::string text = ShowView(small.Read(), view_threads, 1);
  EXPECT_TRUE(Has(text, "    and 3 more\n")) << text;
}

}  // namespace
