/* The workloads that count their own calls (tests/workloads/counted), compared with the dump. */
#include <string>
#include <tuple>

#include "gtest/gtest.h"
#include "tests/e2e/compare.h"
#include "tests/e2e/session.h"

namespace {

class WorkloadTest : public testing::TestWithParam<std::tuple<Setup, std::string>> {};

std::string Name(const testing::TestParamInfo<WorkloadTest::ParamType> &info) {
  return std::get<1>(info.param) + "_" + SetupName(std::get<0>(info.param));
}

TEST_P(WorkloadTest, DumpTellsTheSame) {
  auto [setup, workload] = GetParam();
  Session session(setup, Program({"counted." + workload}, {"-Xcheck:jni", "-Xverify:all"}));
  session.Wait();
  ASSERT_EQ(session.result().status, 0) << session.result().err;
  if (!session.story().skipped.empty()) GTEST_SKIP() << session.story().skipped;
  ASSERT_TRUE(session.story().complete);
  ExpectSame(session.story(), session.dump());
  session.ExpectQuiet();
  session.ExpectChecked();
}

INSTANTIATE_TEST_SUITE_P(Jvm, WorkloadTest,
                         testing::Combine(testing::ValuesIn(FindSetups()),
                                          testing::Values("Waits", "Sleeps", "Joins", "Semaphores",
                                                          "Starts", "Pools", "Monitors", "Names",
                                                          "ManyThreads", "Unloading", "OddNames",
                                                          "Virtual", "ManyVirtual")),
                         Name);

TEST(Jdks, AtLeastOneIsFound) { EXPECT_FALSE(FindJdks().empty()); }

}  // namespace
