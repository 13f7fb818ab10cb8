#include "tests/tools/orca/answer/said.h"

namespace {

// `num` threads, one each 80 ms from 101 s on, of which every `ends`th ends; 0: none does.
std::string SayGrowth(int num, int ends, const std::string &name, int step_ms = 80) {
  SmallModel small;
  std::string events = "100.0000000000,ThreadStarted,00000001,main\n", calls;
  char line[200];
  for (int i = 0; i < num; i++) {
    int ms = 101000 + i * step_ms, s = ms / 1000, rest = ms % 1000;
    snprintf(line, sizeof line,
             "%d.%03d0000000,ThreadStart,00000001,%08X,1;00000010;00000000\n"
             "%d.%03d0000001,ThreadStarted,%08X,",
             s, rest, 0x1000 + i, s, rest, 0x1000 + i);
    events += line + name + std::to_string(i + 1) + "-thread-1\n";
    bool has_end = ends > 0 && i % ends == 0;
    snprintf(line, sizeof line,
             has_end ? "%d.%03d0000002,ThreadEnded,%08X\n"
                     : "%d.%03d0000002,ObjectWait,%08X,000000A2,1;00000011;00000000\n",
             s, rest, 0x1000 + i);
    events += line;
  }
  small.files.Write(DUMP_EVENTS, events);
  return Say(small.Read(), {FINDING_growth});
}

TEST(FindGrowth, NamesThePlaceThatStartsThreads) {
  EXPECT_EQ(SayGrowth(100, 0, "pool-"),
            "* The number of threads grows: 100 threads pool-N-thread-1 were started at "
            "OrderService.price (OrderService.java:88) within 7.92 s, and none of them ended; they "
            "wait in Object.wait.\n");
}

TEST(FindGrowth, SaysHowManyEnded) {
  std::string text = SayGrowth(100, 20, "pool-");
  EXPECT_TRUE(Has(text, " within 7.92 s, and only 5 of them ended; they wait")) << text;
}

TEST(FindGrowth, FewThreadsDoNotGrow) { EXPECT_EQ(SayGrowth(99, 0, "pool-"), ""); }

TEST(FindGrowth, ThreadsThatEndDoNotGrow) { EXPECT_EQ(SayGrowth(100, 5, "pool-"), ""); }

TEST(FindGrowth, APoolThatFillsAtTheBeginningDoesNotGrow) {
  EXPECT_EQ(SayGrowth(100, 0, "pool-", 10), "");
}

}  // namespace
