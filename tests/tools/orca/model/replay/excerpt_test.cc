#include "tools/orca/model/replay/excerpt.h"

#include <string>

#include "tests/tools/orca/model/small_dump.h"

namespace {

bool TakeStep(void *arg, const struct step *step) {
  return excerpt_take(static_cast<struct excerpt *>(arg), step);
}

class Excerpt : public testing::Test {
 protected:
  ~Excerpt() override { excerpt_free(&excerpt_); }

  void Read(size_t max, ticks_t least, ticks_t around = 0) {
    struct model *m = small_.Read();
    excerpt_start(&excerpt_, m, max, least);
    if (around != 0) excerpt_add_moment(&excerpt_, around - kSecond / 10, around + kSecond / 10);
    ASSERT_TRUE(replay(m, REPLAY_LINES, TakeStep, &excerpt_));
    excerpt_end(&excerpt_);
  }

  std::string ListEvents() {
    std::string text;
    for (size_t i = 0; i < excerpt_.num; i++) {
      text += std::string(event_infos[excerpt_.rows[i].kind].name) + " ";
    }
    return text;
  }

  SmallModel small_;
  struct excerpt excerpt_ = {};
};

TEST_F(Excerpt, ContainsAllEventsIfTheyFit) {
  Read(22, kSecond);
  EXPECT_TRUE(excerpt_.whole);
  EXPECT_EQ(excerpt_.num, 22u);
  EXPECT_EQ(excerpt_.events, 22u);
  for (size_t i = 1; i < excerpt_.num; i++) {
    EXPECT_GE(excerpt_.rows[i].time, excerpt_.rows[i - 1].time);
  }
  const struct excerpt_row &enter = excerpt_.rows[4], &entered = excerpt_.rows[5];
  EXPECT_EQ(enter.kind, EVENT_MONITOR_CONTENDED_ENTER);
  EXPECT_EQ(enter.owner, 3u);
  EXPECT_TRUE(enter.has_took && entered.has_took);
  EXPECT_EQ(enter.took, kSecond / 2);
  EXPECT_EQ(entered.took, kSecond / 2);
  EXPECT_FALSE(excerpt_.rows[0].has_took);
  EXPECT_EQ(excerpt_.rows[19].took, 2 * kSecond);  // up to the end of the recording
}

TEST_F(Excerpt, OtherwiseContainsLongPairsAndTheLivesOfThreads) {
  Read(21, kSecond);
  EXPECT_FALSE(excerpt_.whole);
  EXPECT_EQ(ListEvents(),
            "ThreadStarted ThreadStarted ThreadStarted ThreadStarted ObjectWait ObjectWaited "
            "ThreadJoin MonitorContendedEnter MonitorContendedEnter ThreadEnded ");
}

TEST_F(Excerpt, ContainsTheEventsAroundAMoment) {
  Read(21, 10 * kSecond, 105 * kSecond);
  EXPECT_EQ(ListEvents(),
            "ThreadStarted ThreadStarted ThreadStarted ThreadStarted ObjectNotifyAll ThreadEnded ");
}

TEST_F(Excerpt, KeepsTheMaximalNumberOfRows) {
  Read(5, 0);
  EXPECT_EQ(excerpt_.num, 5u);
}

TEST_F(Excerpt, KeepsTheMaximalNumberOfMoments) {
  for (int i = 0; i < 100; i++) excerpt_add_moment(&excerpt_, 1, 2);
  EXPECT_EQ(excerpt_.num_moments, size_t{EXCERPT_MOMENTS});
}

}  // namespace
