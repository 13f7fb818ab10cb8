/* The option threshold: what is short is left out, and nothing else. */
#include <signal.h>

#include <string>

#include "gtest/gtest.h"
#include "tests/e2e/compare.h"
#include "tests/e2e/session.h"
#include "tests/e2e/text_file.h"

namespace {

/* As tests/workloads/counted/Delays.java has it. */
const std::string kThreshold = ",threshold=300ms";

class ThresholdTest : public testing::TestWithParam<Setup> {};

/* So many pairs the workload says were short; the JDK may have made more. */
long Short(const Session &session) {
  for (const std::string &line : SplitLines(session.result().out)) {
    if (line.rfind("short ", 0) == 0) return atol(line.c_str() + 6);
  }
  return -1;
}

void ExpectLongOnly(const Session &session) {
  ASSERT_TRUE(session.story().complete) << session.result().err;
  ExpectSame(session.story(), session.dump());
  session.ExpectQuiet();
  session.ExpectChecked();
  EXPECT_GE(atol(session.dump().info.at("threshold.pairs").c_str()), Short(session));
  EXPECT_GT(Short(session), 20);
  EXPECT_EQ(session.dump().info.at("threshold.early"), "0");
  Result report = session.RunOrca("report");
  EXPECT_EQ(report.status, 0) << report.err;
  EXPECT_NE(report.out.find(" pairs shorter than 300ms left out"), std::string::npos) << report.out;
}

TEST_P(ThresholdTest, RecordsWhatTakesLong) {
  Session session(GetParam(), Program({"counted.Delays"}, {}, kWithoutLocks + kThreshold));
  session.Wait();
  if (!session.story().skipped.empty()) GTEST_SKIP() << session.story().skipped;
  ExpectLongOnly(session);
}

TEST_P(ThresholdTest, RecordsWhatTakesLongInVirtualThreads) {
  Session session(GetParam(),
                  Program({"counted.Delays"}, {"-Dvirtual=true"}, kWithoutLocks + kThreshold));
  session.Wait();
  if (!session.story().skipped.empty()) GTEST_SKIP() << session.story().skipped;
  ExpectLongOnly(session);
}

TEST_P(ThresholdTest, RecordsCallsThatTakeLong) {
  if (GetParam().engine != "weave") GTEST_SKIP() << "only engine=weave knows methods of the user's";
  Session session(GetParam(),
                  Program({"counted.Delays", "methods"}, {},
                          std::string(kWithoutLocks) + kThreshold + ",track=counted.Delays.step*"));
  session.Wait();
  if (!session.story().skipped.empty()) GTEST_SKIP() << session.story().skipped;
  ExpectLongOnly(session);
}

/* What never ends stands in the files, though the JVM is killed in it. */
TEST_P(ThresholdTest, RecordsADeadlock) {
  Session session(GetParam(),
                  Program({"ending.Endings", "deadlock"}, {}, kWithoutLocks + kThreshold));
  ASSERT_TRUE(session.process().WaitForLine("end", 60));
  session.process().WaitUpTo(4); /* several times what the agent takes: the machine may be busy */
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

INSTANTIATE_TEST_SUITE_P(Jvm, ThresholdTest, testing::ValuesIn(FindSetups()),
                         [](const auto &info) { return SetupName(info.param); });

}  // namespace
