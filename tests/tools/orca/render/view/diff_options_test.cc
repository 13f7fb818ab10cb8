#include "tests/tools/orca/render/view/two_shown.h"

namespace {

std::string Options(const Recorded &a, const Recorded &b) {
  TwoRuns runs(a, b);
  return ShowView(runs.Compare(), view_diff_options);
}

TEST(DiffOptions, EqualOptionsAreNotMentioned) {
  EXPECT_EQ(Options({}, {}), "");
  // written defaults, and options that do not affect the numbers
  EXPECT_EQ(Options({}, {.options = "locks=waits,threshold=0,depth=1024,owners=all,walk=async"}),
            "");
}

TEST(DiffOptions, MentionsEachOptionThatAffectsTheNumbers) {
  for (const char *option : {"events=monitor", "threshold=10ms", "locks=all", "monitors=all",
                             "filter=com.acme.*", "engine=callbacks", "depth=8", "track=x"}) {
    std::string text = Options({}, {.options = option});
    EXPECT_EQ(text.find("\nWhat cannot be compared\n* A was recorded with "), 0u) << text;
    EXPECT_TRUE(Has(text, std::string(", B with ") + option + ": ")) << text;
  }
  EXPECT_EQ(Options({.options = "locks=all"}, {}),
            "\nWhat cannot be compared\n"
            "* A was recorded with locks=all, B with locks=waits: recording every acquisition "
            "costs time, "
            "also\n  while the locks are held.\n");
}

TEST(DiffOptions, MentionsDifferentSamplers) {
  TwoRuns runs({}, {});
  runs.B().Append(DUMP_SAMPLES, "109.0000000000,Cpu,00000002,5,0,Unsampled\n");
  EXPECT_EQ(ShowView(runs.Compare(), view_diff_options),
            "\nWhat cannot be compared\n"
            "* CPU time was sampled at safepoints in A, by signals in B: samples at safepoints can "
            "name other\n  methods, so the CPU times of methods are not comparable.\n");
}

TEST(DiffOptions, MentionsMissingSamples) {
  TwoRuns runs({}, {});
  runs.B().Write(DUMP_SAMPLES, "");
  EXPECT_EQ(ShowView(runs.Compare(), view_diff_options),
            "\nWhat cannot be compared\n"
            "* B has no samples with CPU time (interval=0?), so methods cannot be compared.\n");
}

TEST(DiffOptions, MentionsMissingSamplesOfBothRuns) {
  TwoRuns runs({}, {});
  runs.A().Write(DUMP_SAMPLES, "");
  runs.B().Write(DUMP_SAMPLES, "");
  EXPECT_TRUE(Has(ShowView(runs.Compare(), view_diff_options), "* A and B have no samples"));
}

// A filter for locks selects no samples, so their absence does not matter.
TEST(DiffOptions, AFilterWithoutSamplesNeedsNone) {
  TwoRuns runs({}, {});
  struct filter filter = {};
  filter.to = FILTER_NO_END;
  filter.locks = {{"Inventory"}, 1};
  EXPECT_EQ(ShowView(runs.Compare(&filter), view_diff_options), "");
}

// Killed JVMs: the sums may be of different parts of the runs.
TEST(DiffOptions, MentionsThatBothRunsLackSumsOfShortWaits) {
  const Recorded run = {.options = "threshold=10ms"};
  TwoRuns both(run, run);
  TwoRuns::AddSum(&both.A());
  TwoRuns::AddSum(&both.B());
  EXPECT_EQ(ShowView(both.Compare(), view_diff_options), "");
  TwoRuns killed(run, run);
  for (DumpFiles *files : {&killed.A(), &killed.B()}) {
    TwoRuns::AddSum(files);
    files->Append(DUMP_EVENTS, "900.0000000000,ThreadStarted,0000000F,late\n");
  }
  EXPECT_TRUE(Has(ShowView(killed.Compare(), view_diff_options),
                  "* Both lack waits shorter than 10ms: their sums are not recorded, or not "));
}

TEST(DiffOptions, MentionsThatOneRunLacksTheSumsOfShortWaits) {
  const Recorded run = {.options = "threshold=10ms"};
  TwoRuns one(run, run), both(run, run), other({}, run);
  TwoRuns::AddSum(&one.B());
  EXPECT_TRUE(
      Has(ShowView(one.Compare(), view_diff_options),
          "* A lacks waits shorter than 10ms that B has: their sums are not recorded, or "));
  TwoRuns::AddSum(&both.A());
  TwoRuns::AddSum(&both.B());
  EXPECT_EQ(ShowView(both.Compare(), view_diff_options), "");
  TwoRuns::AddSum(&other.B());
  EXPECT_EQ(ShowView(other.Compare(), view_diff_options),
            "\nWhat cannot be compared\n"
            "* A was recorded with threshold=0, B with threshold=10ms: short waits for semaphores "
            "are only in the\n"
            "  times of one of them.\n");
}

TEST(DiffOptions, MentionsLostEvents) {
  TwoRuns runs({}, {});
  runs.A().Append(DUMP_INFO, "events.dropped=7\n");
  EXPECT_TRUE(Has(ShowView(runs.Compare(), view_diff_options), "* A lacks events"));
}

}  // namespace
