/* Tests very many threads, classes and recordings (tests/workloads/faults/Crowd.java): some
   thousand by default, more with --test_env=ORCA_CROWD=10000 and ORCA_CYCLES=200. */
#include <set>
#include <string>

#include "gtest/gtest.h"
#include "tests/e2e/calls.h"
#include "tests/e2e/session.h"
#include "tests/support/setting.h"
#include "tests/support/text.h"

namespace {

constexpr double kSeconds = 120;

size_t ReadCrowd() { return ReadSetting("ORCA_CROWD", 2000); }

class CrowdTest : public testing::TestWithParam<Jdk> {
 protected:
  static void ExpectThreads(const std::vector<std::string> &words, size_t num) {
    Session session(GetParam(), Program(words, {}, ",events=thread"));
    session.Wait(kSeconds);
    ASSERT_EQ(session.result().status, 0) << session.result().err;
    EXPECT_EQ(session.result().out, "threads " + std::to_string(num) + "\n");
    std::set<std::string> names;
    std::set<uint32_t> crowd;
    size_t started = 0, ended = 0, starts = 0;
    for (const Event &e : session.dump().events) {
      bool begins = e.kind == EVENT_THREAD_STARTED && e.name.rfind("crowd-", 0) == 0;
      if (begins) names.insert(e.name);
      if (begins) crowd.insert(e.thread);
      started += begins;
      ended += e.kind == EVENT_THREAD_ENDED && crowd.count(e.thread) != 0;
      starts += e.kind == EVENT_THREAD_START &&
                FindSignatures(session.dump(), e.object).count("Ljava/lang/Thread;") != 0;
    }
    EXPECT_EQ(started, num);
    EXPECT_EQ(names.size(), num);
    EXPECT_EQ(ended, num);
    EXPECT_GE(starts, num);
    EXPECT_EQ(session.dump().info.at("events.dropped"), "0");
    session.ExpectQuiet();
    session.ExpectChecked(kSeconds);
    EXPECT_EQ(session.RunOrca("report", {}, kSeconds).status, 0);
  }
};

TEST_P(CrowdTest, ManyThreadsLiveAtOnce) {
  ExpectThreads({"faults.Crowd", "alive", std::to_string(ReadCrowd())}, ReadCrowd());
}

TEST_P(CrowdTest, AThousandThreadsAreBornASecond) {
  size_t seconds = ReadCrowd() / 1000;
  ExpectThreads({"faults.Crowd", "births", "1000", std::to_string(seconds)}, 1000 * seconds);
}

/* The agent must not keep a class from being unloaded. */
TEST_P(CrowdTest, ManyClassesAreUnloaded) {
  size_t num = ReadCrowd();
  Session session(GetParam(),
                  Program({"faults.Crowd", "loaders", std::to_string(num)},
                          {"-Xmx64m", "-XX:+UseSerialGC"}, ",track=faults.Crowd$Member.*"));
  session.Wait(kSeconds);
  ASSERT_EQ(session.result().status, 0) << session.result().err;
  unsigned long unloaded = 0;
  ASSERT_EQ(sscanf(session.result().out.c_str(), "unloaded %lu", &unloaded), 1);
  EXPECT_GE(unloaded, num - 10);  /* a few may still be on a stack */
  EXPECT_LE(unloaded, num + 100); /* the JDK has some of its own */
  size_t calls = 0;
  for (const Event &e : session.dump().events) calls += e.kind == EVENT_OBJECT_NOTIFY_ALL;
  EXPECT_GE(calls, num);
  EXPECT_EQ(session.dump().info.at("events.dropped"), "0");
  session.ExpectQuiet();
  session.ExpectChecked(kSeconds);
}

/* --- recordings of a program that makes calls ---------------------------------------------- */

constexpr size_t kWarmUp = 5;           /* cycles until all classes and libraries are loaded */
constexpr long kMaxGrowth = 8 << 10;    /* kB */
constexpr long kMaxGrowthOfACycle = 30; /* kB; the JVM keeps class data at each attach */

TEST_P(CrowdTest, RecordingsUnderLoadLeaveNothing) {
  Calls calls;
  for (const char *flag :
       {"-Xms32m", "-Xmx32m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC", "-Xint"})
    calls.AddFlag(flag);
  calls.StartLater(GetParam(), "", {});
  long memory = 0, files = 0;
  size_t cycles = ReadSetting("ORCA_CYCLES", 10);
  for (size_t i = 1; i <= cycles && !HasFailure(); i++) {
    ASSERT_EQ(calls.Attach("").status, 0);
    calls.process().WaitUpTo(0.1);
    Result stop = calls.RunOrca("stop");
    ASSERT_EQ(stop.status, 0) << stop.err;
    EXPECT_GT(CountExits(ReadFile(calls.prefix() + ".orca")), 0u);
    EXPECT_EQ(ReadInfoNumber(calls.prefix(), "events.dropped"), 0u);
    if (i % 10 == 1) ExpectAccepted(calls.prefix(), calls.dir());
    if (i != kWarmUp) continue;
    memory = calls.process().ReadResidentMemory();
    files = calls.process().CountOpenFiles();
  }
  long growth = calls.process().ReadResidentMemory() - memory;
  RecordProperty("growth", std::to_string(growth));
  EXPECT_EQ(calls.process().CountOpenFiles(), files);
  bool sanitized = IsSanitized(); /* a sanitizer keeps freed memory */
  EXPECT_LT(sanitized ? 0 : growth, kMaxGrowth + static_cast<long>(cycles) * kMaxGrowthOfACycle);
  calls.ExpectRunning();
  calls.End();
  EXPECT_EQ(calls.ReadMessages().size(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Jvm, CrowdTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
