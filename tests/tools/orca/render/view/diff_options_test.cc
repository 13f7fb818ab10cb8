#include "tests/tools/orca/render/view/two_shown.h"

namespace {

std::string Options(const Recorded &a, const Recorded &b) {
  TwoRuns runs(a, b);
  return Shown(runs.Compare(), view_diff_options);
}

TEST(DiffOptions, Alike) {
  EXPECT_EQ(Options({}, {}), "");
  // what stands there is the default, what does not matter may differ
  EXPECT_EQ(Options({}, {.options = "locks=waits,threshold=0,depth=64,owners=all,walk=async"}), "");
}

TEST(DiffOptions, EachThatMatters) {
  for (const char *option : {"events=monitor", "threshold=10ms", "locks=all", "monitors=all",
                             "filter=com.acme.*", "engine=callbacks", "depth=8", "track=x"}) {
    std::string text = Options({}, {.options = option});
    EXPECT_EQ(text.find("\nWhat cannot be compared\n* A was recorded with "), 0u) << text;
    EXPECT_TRUE(Has(text, std::string(", B with ") + option + ": ")) << text;
  }
  EXPECT_EQ(
      Options({.options = "locks=all"}, {}),
      "\nWhat cannot be compared\n"
      "* A was recorded with locks=all, B with locks=waits: to record each acquisition takes time "
      "of its\n  own, within the locks too.\n");
}

TEST(DiffOptions, SamplersThatDiffer) {
  TwoRuns runs({}, {});
  runs.B().Append(DUMP_SAMPLES, "109.0000000000,Cpu,00000002,5,0,Unsampled\n");
  EXPECT_EQ(Shown(runs.Compare(), view_diff_options),
            "\nWhat cannot be compared\n"
            "* CPU time was sampled at safepoints in A, by signals in B: samples at safepoints can "
            "name other\n  methods, so the CPU times of methods are not comparable.\n");
}

TEST(DiffOptions, NoSamples) {
  TwoRuns runs({}, {});
  runs.B().Write(DUMP_SAMPLES, "");
  EXPECT_EQ(Shown(runs.Compare(), view_diff_options),
            "\nWhat cannot be compared\n"
            "* B has no samples with CPU time (interval=0?), so nothing can be said of methods.\n");
}

TEST(DiffOptions, NoSamplesInBoth) {
  TwoRuns runs({}, {});
  runs.A().Write(DUMP_SAMPLES, "");
  runs.B().Write(DUMP_SAMPLES, "");
  EXPECT_TRUE(Has(Shown(runs.Compare(), view_diff_options), "* A and B have no samples"));
}

// Whoever asks for locks alone does not miss the CPU time.
TEST(DiffOptions, NoSamplesAskedFor) {
  TwoRuns runs({}, {});
  struct filter filter = {};
  filter.to = FILTER_NO_END;
  filter.locks = {{"Inventory"}, 1};
  EXPECT_EQ(Shown(runs.Compare(&filter), view_diff_options), "");
}

TEST(DiffOptions, Lossy) {
  TwoRuns runs({}, {});
  runs.A().Append(DUMP_INFO, "events.dropped=7\n");
  EXPECT_TRUE(Has(Shown(runs.Compare(), view_diff_options), "* A lacks events"));
}

}  // namespace
