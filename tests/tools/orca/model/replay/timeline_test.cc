#include "tools/orca/model/replay/timeline.h"

#include <string>

#include "tests/tools/orca/model/small_dump.h"

namespace {

bool TakeStep(void *arg, const struct step *step) {
  return timeline_take(static_cast<struct timeline *>(arg), step);
}

class Timeline : public testing::Test {
 protected:
  ~Timeline() override { timeline_free(&timeline_); }

  void Read(size_t max_threads = 100, size_t max_spans = 10000,
            const struct filter *filter = nullptr) {
    struct model *m = small_.Read(filter);
    ASSERT_TRUE(timeline_start(&timeline_, m, max_threads, max_spans));
    ASSERT_TRUE(replay(m, REPLAY_LINES, TakeStep, &timeline_));
    ASSERT_TRUE(timeline_end(&timeline_));
  }

  const struct timeline_row &FindRow(uint32_t thread) {
    for (size_t i = 0; i < timeline_.num; i++) {
      if (timeline_.rows[i].thread == thread) return timeline_.rows[i];
    }
    ADD_FAILURE() << "no thread " << thread;
    return timeline_.rows[0];
  }

  // Writes a line for each span, in seconds: "101-101.5 blocked".
  std::string WriteSpans(uint32_t thread) {
    std::string text;
    const struct timeline_row &row = FindRow(thread);
    for (size_t i = 0; i < row.num; i++) {
      const struct timeline_span &span = row.spans[i];
      char line[100];
      snprintf(line, sizeof line, "%g-%g %s\n", static_cast<double>(span.begin) / kSecond,
               static_cast<double>(span.end) / kSecond,
               span.state == TIMELINE_MIXED ? "mixed" : activity_names[span.state]);
      text += line;
    }
    return text;
  }

  // Checks that each moment of the thread's life is in one span, and that the sums are correct.
  void ExpectWhole(uint32_t thread, ticks_t begin, ticks_t end) {
    const struct timeline_row &row = FindRow(thread);
    struct timeline_mix sum = {};
    ticks_t at = begin;
    for (size_t i = 0; i < row.num; i++) {
      const struct timeline_span &span = row.spans[i];
      EXPECT_EQ(span.begin, at);
      at = span.end;
      for (unsigned s = 0; s < NUM_ACTIVITIES; s++) {
        if (span.state == TIMELINE_MIXED) sum.times[s] += row.mixes[span.detail].times[s];
        if (span.state == s) sum.times[s] += span.end - span.begin;
      }
    }
    EXPECT_EQ(at, end);
    for (unsigned s = 0; s < NUM_ACTIVITIES; s++) EXPECT_EQ(sum.times[s], row.sum.times[s]) << s;
  }

  SmallModel small_;
  struct timeline timeline_ = {};
};

TEST_F(Timeline, TakesCallsFromEventsAndTheRestFromSamples) {
  Read();
  EXPECT_EQ(WriteSpans(2),
            "100.1-101 in no call\n101-101.5 blocked\n101.5-102 running\n102-102.25 blocked\n"
            "102.25-106 running\n106-106.5 sleeping\n106.5-108 running\n108-110 blocked\n");
  // It has no sample before 104: nothing tells what it did. A sample at 105 shows it waiting, up to
  // the end of a call.
  EXPECT_EQ(WriteSpans(3),
            "100.1-103 in no call\n103-103.125 blocked\n103.125-105 running\n105-106 waiting\n"
            "106-106.75 blocked\n106.75-108.5 running\n108.5-110 blocked\n");
  EXPECT_EQ(WriteSpans(1),
            "100-104 in no call\n104-105.5 waiting\n105.5-107 in no call\n107-110 waiting\n");
  EXPECT_EQ(WriteSpans(4), "100.2-100.21 running\n100.21-109 in I/O\n");
  ExpectWhole(1, 100 * kSecond, 110 * kSecond);
  ExpectWhole(2, 1001 * kSecond / 10, 110 * kSecond);
}

TEST_F(Timeline, KeepsTheDetailsOfCalls) {
  Read();
  const struct timeline_row &row = FindRow(2);
  ASSERT_NE(row.spans[1].detail, 0u);
  const struct life_call &call = timeline_.calls[row.spans[1].detail - 1];
  EXPECT_EQ(call.kind, EVENT_MONITOR_CONTENDED_ENTER);
  EXPECT_EQ(call.object, 0xA1u);
  EXPECT_EQ(call.owner, 3u);
  EXPECT_EQ(place_line(stacks_place(&small_.model.stacks, call.stack)), 42u);
  EXPECT_EQ(row.spans[0].detail, 0u);
}

TEST_F(Timeline, AnOwnerThatBecomesKnownLaterChangesNothingElse) {
  Read();
  std::string before = WriteSpans(2);
  timeline_free(&timeline_);
  small_.files.Replace(DUMP_EVENTS, "102.2500000000,",
                       "102.1000000000,MonitorOwner,00000002,000000A1,00000003,0\n102.2500000000,");
  Read();
  EXPECT_EQ(WriteSpans(2), before);
  const struct timeline_span &span = FindRow(2).spans[3];
  ASSERT_EQ(span.begin, 102 * kSecond);
  EXPECT_EQ(timeline_.calls[span.detail - 1].owner, 3u);
}

TEST_F(Timeline, AThreadWithoutALineInATickIsRunnable) {
  small_.files.Write(DUMP_SAMPLES,
                     "100.5000000000,Tick,1,0,4\n"
                     "100.5000000000,Stack,1,1;00000010;00000010\n"
                     "100.5000000000,Sample,00000001,Runnable,400000000,1\n"
                     "101.0000000000,Tick,2,0,4\n"
                     "101.0000000001,Sample,00000001,Runnable,500,1\n"
                     "102.0000000000,Tick,3,0,4\n"
                     "103.0000000000,Tick,4,0,4\n"
                     "103.5000000000,Tick,5,0,4\n"
                     "103.5000000000,Sample,00000001,Runnable,500,1\n");
  Read();
  EXPECT_EQ(WriteSpans(1).substr(0, 53),
            "100-101 running\n101-103.5 runnable\n103.5-104 running\n");
}

// It may have waited for a class before the first sample saw it.
TEST_F(Timeline, AThreadThatHardlyUsedTheCpuBeforeItsSampleDidNotRun) {
  small_.files.Write(DUMP_SAMPLES,
                     "102.0000000000,Tick,1,0,4\n"
                     "102.0000000000,Stack,1,1;00000010;00000010\n"
                     "102.0000000000,Sample,00000001,Runnable,100000000,1\n"
                     "103.0000000000,Tick,2,0,4\n"
                     "103.0000000001,Sample,00000001,Runnable,900000000,1\n");
  Read();
  EXPECT_EQ(WriteSpans(1).find("100-100.1 running\n100.1-102 in no call\n102-"), 0u)
      << WriteSpans(1);
}

TEST_F(Timeline, IgnoresASampleThatIsOlderThanTheCall) {
  small_.files.Append(DUMP_SAMPLES,
                      "108.2500000000,Tick,6,0,4\n"
                      "108.5100000000,Sample,00000003,Runnable,10,1\n");
  Read();
  EXPECT_NE(WriteSpans(3).find("108.5-110 blocked"), std::string::npos) << WriteSpans(3);
}

// Only a task that joins another one can run code of the program meanwhile.
TEST_F(Timeline, AThreadThatWorksInsideOfACallIsRunning) {
  small_.files.Replace(DUMP_EVENTS, "107.0000000000,ThreadJoin,", "107.0000000000,TaskJoin,");
  small_.files.Append(DUMP_SAMPLES,
                      "107.5000000000,Tick,6,0,4\n"
                      "107.5000000000,Sample,00000001,Runnable,10,1\n"
                      "108.0000000000,Tick,7,0,4\n"
                      "108.0000000000,Sample,00000001,Waiting,10,4\n");
  Read();
  EXPECT_NE(WriteSpans(1).find("107-107.5 waiting\n107.5-108 running\n108-110 waiting\n"),
            std::string::npos)
      << WriteSpans(1);
}

TEST_F(Timeline, StepsKeepTheMaximumAndTheSums) {
  std::string lines;
  for (int i = 0; i < 1000; i++) {
    char line[200];
    snprintf(line, sizeof line,
             "109.%04d000000,ThreadSleep,00000005,1;00000003;FFFFFFFF\n"
             "109.%04d500000,ThreadSlept,00000005,1;00000003;FFFFFFFF\n",
             i, i);
    lines += line;
  }
  small_.files.Replace(DUMP_EVENTS, "109.0000000000,ThreadEnded,00000004\n", lines);
  Read(100, 300);
  const struct timeline_row &row = FindRow(5);
  EXPECT_GT(row.step, 0u);
  EXPECT_LT(row.num, 300u);
  EXPECT_EQ(row.sum.times[ACTIVITY_SLEEPS], 1000 * (kSecond / 20000));
  ExpectWhole(5, 109 * kSecond, 110 * kSecond);
  EXPECT_EQ(FindRow(2).step, 0u);  // it has few spans
}

TEST_F(Timeline, AnyNumberOfCallsKeepsTheBound) {
  std::string lines;
  for (int i = 0; i < 9000; i++) {
    char line[200];
    snprintf(line, sizeof line,
             "109.%04d000000,ThreadSleep,%08X,1;00000003;FFFFFFFF\n"
             "109.%04d500000,ThreadSlept,%08X,1;00000003;FFFFFFFF\n",
             i, 5 + i % 3, i, 5 + i % 3);
    lines += line;
  }
  small_.files.Replace(DUMP_EVENTS, "109.0000000000,ThreadEnded,00000004\n", lines);
  // The filter matches few pairs, but the timeline shows all.
  struct filter filter = MakeFilter();
  filter.events = {{"monitor"}, 1};
  Read(100, 300, &filter);
  size_t num = 0;
  for (size_t i = 0; i < timeline_.num; i++) num += timeline_.rows[i].num;
  EXPECT_EQ(num, timeline_.num_spans);
  EXPECT_LE(num, 300 + timeline_.num);
}

TEST_F(Timeline, CountsTheThreadsBeyondTheMaximum) {
  Read(3);
  EXPECT_EQ(timeline_.num, 3u);
  EXPECT_EQ(timeline_.left_out, 1u);
}

TEST_F(Timeline, ALateSampleDoesNotReviveAThread) {
  small_.files.Append(DUMP_SAMPLES,
                      "109.5000000000,Tick,6,0,4\n"
                      "109.5000000000,Sample,00000004,Runnable,10,3\n");
  Read();
  EXPECT_EQ(WriteSpans(4), "100.2-100.21 running\n100.21-109 in I/O\n");
}

TEST_F(Timeline, LossesLeaveNoCallOpen) {
  small_.files.Replace(DUMP_INFO, "events.dropped=0", "events.dropped=1");
  small_.files.Replace(
      DUMP_EVENTS, "106.5000000000,ThreadSlept,00000002,2;00000003;FFFFFFFF;00000012;00000000\n",
      "");
  Read();
  EXPECT_NE(WriteSpans(2).find("106-108 sleeping\n108-110 blocked\n"), std::string::npos)
      << WriteSpans(2);
}

TEST_F(Timeline, IsEmptyForAnEmptyRecording) {
  small_.files.Write(DUMP_EVENTS, "");
  small_.files.Write(DUMP_SAMPLES, "");
  Read();
  EXPECT_EQ(timeline_.num, 0u);
}

}  // namespace
