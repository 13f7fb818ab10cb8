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

// worker-1 counts as running for 5.7 s. It used a CPU for 0.99 s.
TEST(ViewThreads, TimeThatNoSampleSawIsInNoCall) {
  SmallModel small;
  small.files.Append(DUMP_SAMPLES, "109.9900000000,Sched,00000002,10000000\n");
  std::string text = ShowView(small.Read(), view_threads);
  EXPECT_TRUE(Has(text,
                  "\nworker-1  9.90 s   990 ms   10 %     28 %    0 %     0 %   5.1 %    0 "
                  "%     57 %  "))
      << text;
}

TEST(ViewThreads, ThreadsThatWaitedForACpuRun) {
  SmallModel small;
  small.files.Append(DUMP_SAMPLES, "109.9900000000,Sched,00000002,4000000000\n");
  std::string text = ShowView(small.Read(), view_threads);
  EXPECT_TRUE(Has(text, "\nworker-1  9.90 s   990 ms   58 %     28 %")) << text;
}

// poller is seen in I/O, and waited for a CPU for half of its life.
TEST(ViewThreads, IoThatWaitedForACpuRuns) {
  SmallModel small;
  small.files.Append(DUMP_SAMPLES, "109.9900000000,Sched,00000004,4400000000\n");
  std::string text = ShowView(small.Read(), view_threads);
  EXPECT_TRUE(Has(text, "\npoller    8.80 s  10.0 ms  50 %      0 %    0 %     0 %     0 %  50 %"))
      << text;
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

// --- threads of the JVM ---

// The small dump with two threads of the JVM; `more` are further lines of .orca.
void AddJvmThreads(SmallModel *small, const std::string &more = "") {
  small->files.Replace(DUMP_EVENTS, "100.1000000000,",
                       "100.0000000001,ThreadStarted,00000011,Reference Handler\n"
                       "100.0000000002,ThreadStarted,00000012,Finalizer\n" +
                           more + "100.1000000000,");
}

TEST(JvmThreads, FoldThreadsThatDidNothingOfNote) {
  SmallModel small;
  AddJvmThreads(&small);
  const struct model *m = small.Read();
  EXPECT_TRUE(view_folds_thread(m, 0x11));
  EXPECT_TRUE(view_folds_thread(m, 0x12));
  EXPECT_FALSE(view_folds_thread(m, 2));     // worker-1
  EXPECT_FALSE(view_folds_thread(m, 0x99));  // unknown
  std::string text = ShowView(m, view_threads);
  EXPECT_TRUE(Has(text, "\n2 of the JVM ")) << text;
  EXPECT_FALSE(Has(text, "Finalizer")) << text;
  std::string json = ShowView(m, view_threads, 10, FORMAT_JSON);
  EXPECT_TRUE(Has(json, "\"thread\":\"Finalizer\"")) << json;
  EXPECT_FALSE(Has(json, "of the JVM")) << json;
}

TEST(JvmThreads, AThreadThatWorksHasItsRow) {
  SmallModel small;
  AddJvmThreads(&small);
  small.files.Append(DUMP_SAMPLES, "106.0000000000,Sample,00000012,Runnable,900000000,1\n");
  const struct model *m = small.Read();
  EXPECT_TRUE(view_folds_thread(m, 0x11));
  EXPECT_FALSE(view_folds_thread(m, 0x12));
}

TEST(JvmThreads, AThreadThatWasBlockedHasItsRow) {
  SmallModel small;
  AddJvmThreads(&small,
                "100.0000000003,MonitorContendedEnter,00000012,000000A2,00000000,0\n"
                "100.0000000004,MonitorContendedEntered,00000012,000000A2,0\n");
  EXPECT_FALSE(view_folds_thread(small.Read(), 0x12));
}

TEST(JvmThreads, AFilterForThreadsShowsThem) {
  SmallModel small;
  AddJvmThreads(&small);
  struct filter filter = MakeFilter();
  filter.threads = {{"Finalizer"}, 1};
  EXPECT_FALSE(view_folds_thread(small.Read(&filter), 0x12));
}

}  // namespace
