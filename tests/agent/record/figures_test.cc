#include "agent/record/figures.h"

#include <string>

#include "gtest/gtest.h"

namespace {

class FiguresTest : public testing::Test {
 protected:
  FiguresTest() { figures_init(&figures_); }
  ~FiguresTest() override { missing_hooks_clear(&figures_.missing_hooks); }

  struct recording_figures figures_;
};

TEST_F(FiguresTest, AreZeroAtFirst) {
  EXPECT_EQ(figure_get(&figures_.events_waited), 0u);
  EXPECT_EQ(figure_get(&figures_.events_dropped), 0u);
  EXPECT_EQ(figure_get(&figures_.sampler_code_failed), FIGURE_ABSENT);
  EXPECT_EQ(figure_get_text(&figures_.sampler_stopped), nullptr);
}

TEST_F(FiguresTest, KeepWhatProducersAdd) {
  figure_add(&figures_.process_cpu, 40);
  figure_add(&figures_.process_cpu, 2);
  figure_set_text(&figures_.sampler, "signal");
  EXPECT_EQ(figure_get(&figures_.process_cpu), 42u);
  EXPECT_STREQ(figure_get_text(&figures_.sampler), "signal");
}

TEST_F(FiguresTest, BeginAgainWithEachRecording) {
  figure_add(&figures_.events_waited, 1);
  figure_add(&figures_.events_dropped, 1);
  figure_add(&figures_.methods_unloaded, 1);
  figures_.sampler_code_failed = 7;
  figure_set_text(&figures_.sampler_stopped, "a reason");
  missing_hooks_add(&figures_.missing_hooks, "A: a reason");
  figures_begin(&figures_);
  EXPECT_EQ(figures_.events_waited + figures_.events_dropped + figures_.methods_unloaded, 0u);
  EXPECT_EQ(figures_.sampler_code_failed, FIGURE_ABSENT);
  EXPECT_EQ(figures_.sampler_stopped, nullptr);
  EXPECT_EQ(figures_.missing_hooks.first, nullptr);
}

}  // namespace
