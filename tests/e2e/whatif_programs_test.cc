/* Tests that the programs of tests/workloads/whatif do the same work before and after their change.
   Otherwise the gain that tools/bench/whatif measures would not be that of the change. */
#include <regex>

#include "gtest/gtest.h"
#include "tests/e2e/process.h"
#include "tests/e2e/scratch.h"
#include "tests/support/jvm.h"

namespace {

const char *const kPrograms[] = {
    "FairLock",  "FasterInside", "FasterOutside", "GcBound",    "Injected",   "InnerLock",
    "OffPath",   "OneLock",      "OutsideCall",   "Pipeline",   "ReadMostly", "Saturated",
    "SlowPhase", "SlowProducer", "SmallPool",     "StripedMap", "TwoLocks",
};

const char kScale[] = "0.02";

Result RunProgram(const Jdk &jdk, const std::vector<std::string> &words) {
  Scratch scratch;
  std::vector<std::string> command = JavaProgram(jdk);
  command.insert(command.end(), {"-cp", Runfile("tests/workloads/whatif/whatif.jar")});
  command.insert(command.end(), words.begin(), words.end());
  return RunProcess(command, JavaEnvironment(), scratch.dir(), 60);
}

/* Returns the units of work that a version of the program prints; -1 if it prints none. */
long CountUnits(const Jdk &jdk, const std::string &program, const std::string &version) {
  Result result = RunProgram(jdk, {"whatif." + program, version, kScale});
  EXPECT_EQ(result.status, 0) << result.err;
  std::smatch found;
  const std::regex line("work=([0-9]+) seconds=[0-9]+[.][0-9]+\n");
  if (!std::regex_match(result.out, found, line)) {
    ADD_FAILURE() << result.out;
    return -1;
  }
  return std::stol(found[1]);
}

class WhatifProgramTest : public testing::TestWithParam<std::tuple<Jdk, const char *>> {};

TEST_P(WhatifProgramTest, DoesTheSameWorkBeforeAndAfter) {
  auto [jdk, program] = GetParam();
  long before = CountUnits(jdk, program, "before");
  EXPECT_GT(before, 0);
  EXPECT_EQ(CountUnits(jdk, program, "after"), before);
}

INSTANTIATE_TEST_SUITE_P(Jvm, WhatifProgramTest,
                         testing::Combine(testing::ValuesIn(FindJdks()),
                                          testing::ValuesIn(kPrograms)),
                         [](const auto &info) {
                           return std::string(std::get<1>(info.param)) + "_" +
                                  std::get<0>(info.param).name;
                         });

TEST(WhatifProgram, RefusesAnUnknownVersion) {
  for (const Jdk &jdk : FindJdks()) {
    Result result = RunProgram(jdk, {"whatif.OneLock", "later"});
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.err, "usage: whatif.OneLock before|after [SCALE]\n");
  }
}

}  // namespace
