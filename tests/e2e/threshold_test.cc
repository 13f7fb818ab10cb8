/* Tests that the option threshold skips exactly the short pairs. */
#include <signal.h>

#include <algorithm>
#include <cinttypes>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "agent/event/meaning.h"
#include "gtest/gtest.h"
#include "tests/e2e/compare.h"
#include "tests/e2e/session.h"
#include "tests/support/eventually.h"
#include "tests/support/text.h"

namespace {

/* The same value as in tests/workloads/counted/Delays.java. */
const std::string kThreshold = ",threshold=300ms";

class ThresholdTest : public testing::TestWithParam<Jdk> {};

/* Returns the number of short pairs that the workload counted. The JDK may have made more. */
long ReadNumShort(const Session &session) {
  for (const std::string &line : SplitLines(session.result().out)) {
    if (line.rfind("short ", 0) == 0) return atol(line.c_str() + 6);
  }
  return -1;
}

void ExpectOnlyLongPairs(const Session &session) {
  ASSERT_TRUE(session.story().complete) << session.result().err;
  Story story = session.story();
  LeaveOutShort(session.dump(), &story);
  ExpectSame(story, session.dump());
  session.ExpectQuiet();
  session.ExpectChecked();
  EXPECT_GE(atol(session.dump().info.at("threshold.pairs").c_str()), ReadNumShort(session));
  EXPECT_GT(ReadNumShort(session), 20);
  EXPECT_EQ(session.dump().info.at("threshold.early"), "0");
  Result report = session.RunOrca("report");
  EXPECT_EQ(report.status, 0) << report.err;
  std::string wakes = session.dump().info.at("threshold.wakes");
  std::string left_out =
      " pairs shorter than 300ms only as sums" +
      (wakes == "0" ? "" : ", " + wakes + " wake-up" + (wakes == "1" ? "" : "s") + " left out");
  EXPECT_NE(report.out.find(left_out), std::string::npos) << left_out << report.out;
}

TEST_P(ThresholdTest, RecordsOnlyLongPairs) {
  Session session(GetParam(), Program({"counted.Delays"}, {}, kWithoutLocks + kThreshold));
  session.Wait();
  if (!session.story().skipped.empty()) GTEST_SKIP() << session.story().skipped;
  ExpectOnlyLongPairs(session);
  EXPECT_GT(atol(session.dump().info.at("threshold.young").c_str()), 20);
}

TEST_P(ThresholdTest, RecordsOnlyLongPairsInVirtualThreads) {
  Session session(GetParam(),
                  Program({"counted.Delays"}, {"-Dvirtual=true"}, kWithoutLocks + kThreshold));
  session.Wait();
  if (!session.story().skipped.empty()) GTEST_SKIP() << session.story().skipped;
  ExpectOnlyLongPairs(session);
}

/* --- threads --------------------------------------------------------------------------------- */

/* What counted.ShortThreads prints about a thread. */
struct Life {
  uint32_t thread;
  int64_t least_ns, most_ns;
};

std::vector<Life> ReadLives(const std::string &out) {
  std::vector<Life> lives;
  for (const std::string &line : SplitLines(out)) {
    Life life = {};
    if (sscanf(line.c_str(), "thread %x %" SCNd64 " %" SCNd64, &life.thread, &life.least_ns,
               &life.most_ns) == 3)
      lives.push_back(life);
  }
  return lives;
}

long ReadNumber(const std::string &out, const std::string &word) {
  for (const std::string &line : SplitLines(out)) {
    if (line.rfind(word + " ", 0) == 0) return atol(line.c_str() + word.size() + 1);
  }
  return -1;
}

std::map<uint32_t, int> CountByThread(const Dump &dump, enum event_kind kind) {
  std::map<uint32_t, int> num;
  for (const Event &e : dump.events) num[e.thread] += e.kind == kind;
  return num;
}

TEST_P(ThresholdTest, LeavesOutShortVirtualThreads) {
  Session session(GetParam(),
                  Program({"counted.ShortThreads", "300"}, {"-Xcheck:jni"}, kThreshold));
  session.Wait();
  if (!session.story().skipped.empty()) GTEST_SKIP() << session.story().skipped;
  ASSERT_EQ(session.result().status, 0) << session.result().err;
  const Dump &dump = session.dump();
  std::vector<Life> lives = ReadLives(session.result().out);
  EXPECT_EQ(lives.size(), 200u);
  std::map<uint32_t, int> started = CountByThread(dump, EVENT_THREAD_STARTED);
  std::map<uint32_t, int> ended = CountByThread(dump, EVENT_THREAD_ENDED);
  long written = 0, num_long = 0;
  for (const Life &life : lives) {
    written += started[life.thread];
    EXPECT_EQ(started[life.thread], ended[life.thread]);
    if (life.least_ns >= 300 * 1000000) {
      num_long++;
      EXPECT_EQ(started[life.thread], 1) << life.least_ns << " ns";
    } else if (life.most_ns < 300 * 1000000) {
      EXPECT_EQ(started[life.thread], 0) << life.most_ns << " ns";
    }
  }
  EXPECT_GE(num_long, 4);
  EXPECT_EQ(written + atol(dump.info.at("threshold.threads").c_str()), 200);
  std::map<enum event_kind, Sum> sums = SumByEvent(dump.short_calls);
  EXPECT_EQ(sums[EVENT_EXECUTOR_SUBMIT].calls, ReadNumber(session.result().out, "submitted"));
  EXPECT_EQ(sums[EVENT_THREAD_START].calls, ReadNumber(session.result().out, "started"));
  session.ExpectQuiet();
  session.ExpectChecked();
}

/* --- tracked methods -------------------------------------------------------------------------- */

TEST_P(ThresholdTest, RecordsOnlyLongCalls) {
  Session session(GetParam(),
                  Program({"counted.Delays", "methods"}, {},
                          std::string(kWithoutLocks) + kThreshold + ",track=counted.Delays.step*"));
  session.Wait();
  if (!session.story().skipped.empty()) GTEST_SKIP() << session.story().skipped;
  ExpectOnlyLongPairs(session);
}

/* A pair without an end must be in the files, even if the JVM is killed meanwhile. */
TEST_P(ThresholdTest, RecordsADeadlock) {
  Session session(GetParam(),
                  Program({"ending.Endings", "deadlock"}, {}, kWithoutLocks + kThreshold));
  ASSERT_TRUE(session.process().WaitForLine("end", 60));
  Story story = ReadStory(session.process().ReadOut());
  EXPECT_TRUE(Eventually([&] { return HasAllSteps(story, ReadDump(session.prefix())); }));
  session.process().Signal(SIGKILL);
  session.Wait();
  ASSERT_TRUE(session.story().complete);
  ExpectSame(session.story(), session.dump());
  session.ExpectQuiet();
  session.ExpectChecked();
  Result report = session.RunOrca("report");
  EXPECT_NE(report.out.find("eadlock"), std::string::npos) << report.out;
  EXPECT_NE(report.out.find("; pairs shorter than 300ms left out"), std::string::npos)
      << report.out;
}

/* A threshold that no call is shorter than, so each is recorded after it was young: by its thread
   when it ends, or by the watch. */
class YoungCallTest : public testing::TestWithParam<std::tuple<Jdk, std::string>> {};

/* Wake-ups of nobody are left out, so whether a wake-up is recorded depends on chance, and whether
   an object is defined that only they name. */
void LeaveOutWakes(Story *story, Dump *dump) {
  auto wakes = [](enum event_kind kind) { return event_is_wake(kind); };
  for (auto &[thread, steps] : story->steps) {
    steps.erase(std::remove_if(steps.begin(), steps.end(),
                               [&](const Step &step) { return wakes(step.kind); }),
                steps.end());
  }
  for (auto it = story->counts.begin(); it != story->counts.end();) {
    it = wakes(it->first) ? story->counts.erase(it) : std::next(it);
  }
  std::set<uint32_t> named;
  for (const auto &[thread, steps] : story->steps) {
    named.insert(thread);
    for (const Step &step : steps) named.insert(step.object);
  }
  for (auto it = story->objects.begin(); it != story->objects.end();) {
    it = named.count(it->first) == 0 ? story->objects.erase(it) : std::next(it);
  }
  auto &events = dump->events;
  events.erase(std::remove_if(events.begin(), events.end(),
                              [&](const Event &event) { return wakes(event.kind); }),
               events.end());
}

TEST_P(YoungCallTest, IsRecordedLikeAnyOther) {
  auto [jdk, workload] = GetParam();
  Session session(
      jdk, Program({"counted." + workload}, {"-Xcheck:jni"}, ",events=all-lock,threshold=1ns"));
  session.Wait();
  ASSERT_EQ(session.result().status, 0) << session.result().err;
  if (!session.story().skipped.empty()) GTEST_SKIP() << session.story().skipped;
  ASSERT_TRUE(session.story().complete);
  Story story = session.story();
  Dump dump = session.dump();
  LeaveOut(GROUP_LOCK, &story);
  LeaveOutWakes(&story, &dump);
  LeaveOutShort(dump, &story);
  ExpectSame(story, dump);
  session.ExpectQuiet();
  session.ExpectChecked();
  EXPECT_EQ(dump.info.at("threshold.late"), "0");
}

INSTANTIATE_TEST_SUITE_P(
    Jvm, YoungCallTest,
    testing::Combine(testing::ValuesIn(FindJdks()),
                     testing::Values("Waits", "Sleeps", "Joins", "Semaphores", "Conditions",
                                     "Parks", "Latches", "Futures", "ForkJoins", "Queues")),
    [](const auto &info) { return std::get<1>(info.param) + "_" + std::get<0>(info.param).name; });

INSTANTIATE_TEST_SUITE_P(Jvm, ThresholdTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
