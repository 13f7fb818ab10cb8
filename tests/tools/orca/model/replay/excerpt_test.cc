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
  EXPECT_LE(excerpt_.num, 5u);
  EXPECT_GT(excerpt_.num, 0u);
}

// The rows that are left out are never only the last ones.
TEST_F(Excerpt, LeavesOutLivesAndShortPairsIfThereAreTooMany) {
  std::string lines;
  for (int i = 0; i < 900; i++) {
    char line[300];
    snprintf(line, sizeof line,
             "109.%03d1000000,ThreadStarted,%08X,short\n"
             "109.%03d2000000,ThreadSleep,00000002,1;00000003;FFFFFFFF\n"
             "109.%03d2%06d,ThreadSlept,00000002,1;00000003;FFFFFFFF\n"
             "109.%03d9000000,ThreadEnded,%08X\n",
             i, 100 + i, i, i, 1 + i * 7919 % 900, i, 100 + i);
    lines += line;
  }
  small_.files.Replace(DUMP_EVENTS, "109.0000000000,ThreadEnded,00000004\n", lines);
  Read(60, 0);
  EXPECT_FALSE(excerpt_.lives);
  EXPECT_LE(excerpt_.num, 60u);
  EXPECT_GE(excerpt_.num, 15u);
  size_t long_ones = 0;
  for (int i = 0; i < 900; i++) long_ones += 1 + i * 7919u % 900 >= excerpt_.least;
  size_t found = 0;
  for (size_t i = 0; i < excerpt_.num; i++) {
    EXPECT_GE(excerpt_.rows[i].took, excerpt_.least);
    found += excerpt_.rows[i].kind == EVENT_THREAD_SLEPT && excerpt_.rows[i].took < kSecond / 10;
  }
  EXPECT_EQ(found, long_ones);
}

TEST_F(Excerpt, LeavesOutTheLastMomentsIfTheyAreTooLong) {
  struct model *m = small_.Read();
  excerpt_start(&excerpt_, m, 10, 100 * kSecond);
  excerpt_.lives = false;
  excerpt_add_moment(&excerpt_, 101 * kSecond, 103 * kSecond);
  excerpt_add_moment(&excerpt_, 104 * kSecond, 110 * kSecond);
  ASSERT_TRUE(replay(m, REPLAY_LINES, TakeStep, &excerpt_));
  excerpt_end(&excerpt_);
  EXPECT_EQ(excerpt_.num_moments, 1u);
  ASSERT_EQ(excerpt_.num, 5u);
  EXPECT_EQ(excerpt_.rows[4].time, 103 * kSecond);
}

TEST_F(Excerpt, KeepsTheMaximalNumberOfMoments) {
  for (int i = 0; i < 100; i++) excerpt_add_moment(&excerpt_, 1, 2);
  EXPECT_EQ(excerpt_.num_moments, size_t{EXCERPT_MOMENTS});
}

}  // namespace
