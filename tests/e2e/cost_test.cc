/* Tests what a report says about the cost of recording, compared with what the program measures. */
#include <stdlib.h>

#include <string>

#include "gtest/gtest.h"
#include "tests/e2e/session.h"
#include "tests/support/text.h"

namespace {

class CostTest : public testing::TestWithParam<Jdk> {};

/* The CPU time of the loop in nanoseconds. */
double ReadLoopTime(const Session &session) {
  for (const std::string &line : SplitLines(session.result().out)) {
    if (line.rfind("loop ", 0) == 0) return atof(line.c_str() + 5);
  }
  return -1;
}

/* Reads the time before " in Java threads" of the row Cost. */
double ReadEstimate(const std::string &report) {
  size_t row = report.find("\nCost      recording took ");
  size_t colon = row == std::string::npos ? row : report.find("CPU time: ", row);
  if (colon == std::string::npos) return -1;
  char *unit;
  double value = strtod(report.c_str() + colon + 10, &unit);
  return value * (std::string(unit, 3) == " ms" ? 1e6 : 1e9);
}

/* 15 frames. The estimate can be too low: the agent cannot measure the call of the hook and what
   the loop itself does. It can be too high: the clock goes on while the thread has no CPU. */
TEST_P(CostTest, EstimatesTheTimeOfRecording) {
  Session session(GetParam(), Program({"usecases.BusyNotifier", "12"}));
  session.WaitOnly(120);
  Result report = session.RunOrca("report");
  double loop = ReadLoopTime(session), estimate = ReadEstimate(report.out);
  ASSERT_GT(loop, 0) << session.result().err;
  EXPECT_GT(estimate, loop / 2) << report.out;
  EXPECT_LT(estimate, loop * 1.5) << report.out;
}

TEST_P(CostTest, NamesThePlaceWithManyEvents) {
  Session session(GetParam(), Program({"usecases.BusyNotifier", "0"}));
  session.Wait(120);
  const auto &info = session.dump().info;
  double seconds =
      atof(info.at("end.monotonic").c_str()) - atof(info.at("start.monotonic").c_str());
  Result report = session.RunOrca("report");
  bool is_told = report.out.find("* Many events: ObjectNotify at BusyNotifier.callNotify ") !=
                 std::string::npos;
  EXPECT_EQ(is_told, 1e6 / seconds > 100000) << report.out;
  /* The option that the sentence names leaves the events out. */
  Session without(GetParam(), Program({"usecases.BusyNotifier", "0"}, {}, ",events=all-notify"));
  without.Wait(120);
  report = without.RunOrca("report");
  EXPECT_EQ(report.out.find("Many events"), std::string::npos) << report.out;
}

INSTANTIATE_TEST_SUITE_P(Jvm, CostTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
