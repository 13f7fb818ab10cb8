#include "tests/tools/orca/render/view/shown.h"

namespace {

std::string ShowSteps(const struct model *m, const struct view_next &next, size_t width = 100) {
  struct builder b = {};
  struct style style = {width, false, false};
  view_next_steps(&b, m, &style, &next);
  return TakeText(&b);
}

TEST(ViewNextSteps, AreCommandsForWhatWasFound) {
  SmallModel small;
  EXPECT_EQ(ShowSteps(small.Read(), {"orca", "/tmp/shop", 0}),
            "\nWhat to do next\n"
            "  orca deadlocks /tmp/shop  who waits for whom\n"
            "  orca locks /tmp/shop      who waited, who held\n"
            "  orca html /tmp/shop       a page for a browser\n"
            "  orca report /tmp/shop     the whole report\n");
}

TEST(ViewNextSteps, AreAboutAnOrderThatCanDeadlock) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS, kInversion);
  EXPECT_TRUE(Has(ShowSteps(small.Read(), {"orca", "out", 0}),
                  "  orca deadlocks out  lock orders that can deadlock\n"));
}

TEST(ViewNextSteps, AreAboutThreadsIfNeitherLocksNorCpuTimeMatter) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS, "100.0000000000,ThreadStarted,00000001,main\n");
  small.files.Write(DUMP_SAMPLES, "");
  EXPECT_EQ(ShowSteps(small.Read(), {"orca", "out", 0}),
            "\nWhat to do next\n"
            "  orca threads out    time of each thread\n"
            "  orca html out       a page for a browser\n"
            "  orca report out     the whole report\n");
}

TEST(ViewNextSteps, SayHowManySentencesAreLeftOut) {
  SmallModel small;
  const struct model *m = small.Read();
  EXPECT_TRUE(Has(ShowSteps(m, {"orca", "out", 1}), "the whole report, 1 more sentence\n"));
  EXPECT_TRUE(Has(ShowSteps(m, {"orca", "out", 3}), "the whole report, 3 more sentences\n"));
}

TEST(ViewNextSteps, FitIntoATerminalWithWholeWords) {
  SmallModel small;
  std::string prefix(44, 'x');
  std::string text = ShowSteps(small.Read(), {"orca", prefix.c_str(), 3}, 80);
  EXPECT_TRUE(Has(text, "  orca locks " + prefix + "      who waited, who held\n")) << text;
  EXPECT_FALSE(Has(text, "…")) << text;
}

TEST(ViewNextSteps, AreNotCutAfterALongPrefix) {
  SmallModel small;
  std::string prefix(90, 'x');
  std::string text = ShowSteps(small.Read(), {"orca", prefix.c_str(), 0}, 80);
  EXPECT_TRUE(Has(text, "  orca locks " + prefix + "      who waited, who held\n")) << text;
}

// The wait for a signal is not for a lock.
TEST(ViewNextSteps, DoNotShowLocksForASignal) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS,
                    "106.0000000000,SemaphoreAcquire,00000003,000000A3,0\n"
                    "108.7000000000,SemaphoreRelease,00000002,000000A3,0\n"
                    "108.7500000000,SemaphoreAcquired,00000003,000000A3,0\n");
  EXPECT_FALSE(Has(ShowSteps(small.Read(), {"orca", "out", 0}), "orca locks"));
}

}  // namespace
