#include "tools/orca/render/view/threads.h"

#include "tests/tools/orca/render/view/shown.h"

namespace {

TEST(ViewThreads, ShowsSharesAndCounts) {
  SmallModel small;
  EXPECT_EQ(ShowView(small.Read(), view_threads),
            "\n"
            "Threads: shares of the time that they lived, and how often by the events\n"
            "thread     lived      CPU   runs  blocked  waits  parked  sleeps    I/O  no call  "
            "blocked  waited\n"
            "worker-1  9.90 s   990 ms   58 %     28 %    0 %     0 %   5.1 %    0 %    9.1 %  "
            "      3       0\n"
            "poller    8.80 s  10.0 ms  0.1 %      0 %    0 %     0 %     0 %  >99 %      0 %  "
            "      0       0\n"
            "main      10.0 s      0 s    0 %      0 %   45 %     0 %     0 %    0 %     55 %  "
            "      0       2\n"
            "worker-2  9.90 s      0 s   37 %     24 %   10 %     0 %     0 %    0 %     29 %  "
            "      3       0\n");
}

TEST(ViewThreads, SaysHowManyThreadsWereLeftOut) {
  auto show = [](struct page *p, const struct model *m, size_t) { view_short_threads(p, m); };
  for (auto [num, text] :
       {std::pair("0", ""),
        std::pair(
            "1",
            "\n1 virtual thread ended before 10ms and was left out. Its CPU time is in that of its "
            "carrier.\n"),
        std::pair(
            "2000",
            "\n2,000 virtual threads ended before 10ms and were left out. Their CPU time is in "
            "that of their\ncarriers.\n")}) {
    SmallModel small;
    small.files.Replace(DUMP_INFO, "options=", "options=x,threshold=10ms,");
    small.files.Append(DUMP_INFO, std::string("threshold.threads=") + num + "\n");
    EXPECT_EQ(ShowView(small.Read(), show), text);
  }
}

TEST(ViewThreads, SaysNothingOfThreadsThatWereLeftOutWithAFilter) {
  auto show = [](struct page *p, const struct model *m, size_t) { view_short_threads(p, m); };
  SmallModel small;
  small.files.Append(DUMP_INFO, "threshold.threads=2\n");
  struct filter filter = MakeFilter(TICKS_PER_S * 101, TICKS_PER_S * 102);
  EXPECT_EQ(ShowView(small.Read(&filter), show), "");
}

TEST(ViewThreads, TopLimitsTheRows) {
  SmallModel small;
  std::string text = ShowView(small.Read(), view_threads, 1);
  EXPECT_TRUE(Has(text, "    and 3 more\n")) << text;
}

}  // namespace
