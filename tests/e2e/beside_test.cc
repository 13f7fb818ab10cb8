/* Tests that counts are exact while another agent runs in the JVM. */
#include <string>
#include <tuple>

#include "gtest/gtest.h"
#include "tests/e2e/compare.h"
#include "tests/e2e/scratch.h"
#include "tests/e2e/session.h"

namespace {

class BesideTest : public testing::TestWithParam<std::tuple<Setup, std::string>> {
 protected:
  void ExpectExact(std::vector<std::string> flags) {
    auto [setup, workload] = GetParam();
    flags.push_back("-Xcheck:jni");
    Session session(setup, Program({"counted." + workload}, flags, kWithoutLocks));
    session.Wait();
    ASSERT_EQ(session.result().status, 0) << session.result().err;
    ASSERT_TRUE(session.story().complete);
    ExpectSame(session.story(), session.dump());
    session.ExpectQuiet();
    session.ExpectChecked();
  }
};

std::string Name(const testing::TestParamInfo<BesideTest::ParamType> &info) {
  return std::get<1>(info.param) + "_" + SetupName(std::get<0>(info.param));
}

TEST_P(BesideTest, CountsExactlyBesideFlightRecorder) {
  Scratch scratch;
  ExpectExact(FlightRecorder("filename=" + scratch.dir() + "/beside.jfr", scratch.dir()));
}

TEST_P(BesideTest, CountsExactlyBesideARetransformingAgent) {
  ExpectExact({"-javaagent:" + Runfile("tests/workloads/beside.jar")});
}

INSTANTIATE_TEST_SUITE_P(Jvm, BesideTest,
                         testing::Combine(testing::ValuesIn(FindSetups()),
                                          testing::Values("Waits", "Sleeps", "Joins", "Semaphores",
                                                          "Monitors", "Pools")),
                         Name);

}  // namespace
