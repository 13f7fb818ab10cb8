#include "tests/tools/orca/render/view/shown.h"

namespace {

std::string Ask(struct model *m, const char *command) {
  struct builder b = {};
  view_next_question(&b, m, command);
  return TakeText(&b);
}

TEST(ViewNextQuestion, IsAboutWhatWasFound) {
  SmallModel small;
  struct model *m = small.Read();
  std::string text = Ask(m, "report");
  EXPECT_EQ(text.find("Next: deadlocks (who waits for whom); locks (who waited, who held); "), 0u)
      << text;
  EXPECT_EQ(text.find("\n"), text.size() - 1);
  EXPECT_TRUE(Has(text, "; or record with locks=all,monitors=all,filter=com.acme.* for hold times"))
      << text;
  EXPECT_FALSE(Has(text, "hot")) << "too few samples: " << text;
}

TEST(ViewNextQuestion, IsAboutAnOrderThatCanDeadlock) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS, kInversion);
  struct model *m = small.Read();
  EXPECT_EQ(Ask(m, "report").find("Next: deadlocks (lock orders that can deadlock); "), 0u)
      << Ask(m, "report");
  EXPECT_FALSE(Has(Ask(m, "deadlocks"), "deadlocks (")) << Ask(m, "deadlocks");
}

TEST(ViewNextQuestion, DoesNotAskAgain) {
  SmallModel small;
  struct model *m = small.Read();
  EXPECT_FALSE(Has(Ask(m, "locks"), " locks (")) << Ask(m, "locks");
  EXPECT_FALSE(Has(Ask(m, "deadlocks"), "deadlocks (")) << Ask(m, "deadlocks");
}

// The threads of the recording wait for each other, so no simulation ends.
TEST(ViewNextQuestion, AsksForNoPredictionThatWouldBeRefused) {
  SmallModel small;
  struct model *m = small.Read();
  for (const char *command : {"report", "locks", "path", "whatif"}) {
    EXPECT_FALSE(Has(Ask(m, command), "whatif")) << Ask(m, command);
  }
}

TEST(ViewNextQuestion, IsAboutThreadsIfNeitherLocksNorCpuTimeMatter) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS, "100.0000000000,ThreadStarted,00000001,main\n");
  small.files.Write(DUMP_SAMPLES, "");
  struct model *m = small.Read();
  EXPECT_EQ(Ask(m, "report").find("Next: threads (the time of each thread); waits (who woke whom)"),
            0u)
      << Ask(m, "report");
  EXPECT_TRUE(Has(Ask(m, "methods"), "; or record with track=com.acme.Cart.add* for calls of your"))
      << Ask(m, "methods");
}

TEST(ViewNextQuestion, AsksForNoOptionThatWasOn) {
  SmallModel small;
  small.files.Replace(DUMP_INFO, "interval=20ms", "interval=20ms,locks=all,monitors=all");
  EXPECT_FALSE(Has(Ask(small.Read(), "locks"), "record with")) << Ask(small.Read(), "locks");
}

}  // namespace
