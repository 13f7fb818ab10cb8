#include "sampler/pauses.h"

#include <unistd.h>

#include <memory>

#include "agent/base/clock.h"
#include "agent/base/task.h"
#include "gtest/gtest.h"
#include "tests/support/recording.h"

namespace {

class PausesTest : public testing::Test {
 protected:
  PausesTest() { pauses_init(&pauses_, r_.recorder); }

  Recording r_;
  struct pauses pauses_;
};

TEST_F(PausesTest, RecordsTheLengthOfAPause) {
  uint64_t before = clock_monotonic_ns();
  pauses_begin(&pauses_);
  pauses_end(&pauses_);
  int64_t max_length = static_cast<int64_t>(clock_monotonic_ns() - before);
  Lines lines = r_.Records();
  ASSERT_EQ(lines.size(), 1u);
  ASSERT_EQ(lines[0].rfind("Pause,Gc,", 0), 0u) << lines[0];
  int64_t length = std::stoll(lines[0].substr(9));
  EXPECT_GE(length, 0);
  EXPECT_LE(length, max_length);
}

int64_t ReadOwnCpu() {
  int64_t now = 0;
  EXPECT_TRUE(task_cpu(static_cast<uint32_t>(gettid()), &now));
  return now;
}

TEST_F(PausesTest, AddsUpTheCpuTimeOfItsThread) {
  auto tid = static_cast<uint32_t>(gettid());
  EXPECT_EQ(pauses_cpu(&pauses_, tid, ReadOwnCpu()), 0);
  int64_t before = ReadOwnCpu();
  pauses_begin(&pauses_);
  while (ReadOwnCpu() < before + 2'000'000) {
  }
  EXPECT_GT(pauses_cpu(&pauses_, tid, ReadOwnCpu()), 0); /* it goes on */
  pauses_end(&pauses_);
  int64_t used = ReadOwnCpu() - before, sum = pauses_cpu(&pauses_, tid, ReadOwnCpu());
  EXPECT_GT(sum, 0);
  EXPECT_LE(sum, used);
  EXPECT_EQ(pauses_cpu(&pauses_, tid + 1, ReadOwnCpu()), 0);
}

TEST_F(PausesTest, IgnoresAnEndWithoutABegin) {
  pauses_end(&pauses_);
  pauses_begin(&pauses_);
  pauses_end(&pauses_);
  pauses_end(&pauses_);
  EXPECT_EQ(r_.Records().size(), 1u);
}

TEST_F(PausesTest, DoesNotWaitForAFullQueue) {
  r_.FillQueue();
  pauses_begin(&pauses_);
  pauses_end(&pauses_); /* would never return */
  EXPECT_EQ(r_.recorder->figures.pauses_lost, 1u);
  EXPECT_EQ(r_.recorder->figures.events_waited, 0u);
  EXPECT_EQ(r_.recorder->figures.events_dropped, 0u);
}

TEST_F(PausesTest, RecordsNothingBetweenRecordings) {
  recorder_switch(r_.recorder, false);
  pauses_begin(&pauses_);
  pauses_end(&pauses_);
  recorder_switch(r_.recorder, true);
  EXPECT_EQ(r_.Records(), Lines{});
  EXPECT_EQ(r_.recorder->figures.pauses_lost, 0u);
}

}  // namespace
