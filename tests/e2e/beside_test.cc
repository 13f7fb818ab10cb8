/* Tests that counts are exact while another agent runs in the JVM. */
#include <string>
#include <tuple>

#include "gtest/gtest.h"
#include "tests/e2e/compare.h"
#include "tests/e2e/scratch.h"
#include "tests/e2e/session.h"

namespace {

void ExpectExact(const Jdk &jdk, const std::string &workload, std::vector<std::string> flags) {
  flags.push_back("-Xcheck:jni");
  Session session(jdk, Program({"counted." + workload}, flags, kWithoutLocks));
  session.Wait();
  ASSERT_EQ(session.result().status, 0) << session.result().err;
  ASSERT_TRUE(session.story().complete);
  ExpectSame(session.story(), session.dump());
  session.ExpectQuiet();
  session.ExpectChecked();
}

std::string Retransformer() { return "-javaagent:" + Runfile("tests/workloads/beside.jar"); }

class BesideTest : public testing::TestWithParam<std::tuple<Jdk, std::string>> {};

std::string Name(const testing::TestParamInfo<BesideTest::ParamType> &info) {
  return std::get<1>(info.param) + "_" + std::get<0>(info.param).name;
}

TEST_P(BesideTest, CountsExactlyBesideFlightRecorder) {
  const auto &[jdk, workload] = GetParam();
  Scratch scratch;
  ExpectExact(jdk, workload,
              FlightRecorder("filename=" + scratch.dir() + "/beside.jfr", scratch.dir()));
}

TEST_P(BesideTest, CountsExactlyBesideARetransformingAgent) {
  const auto &[jdk, workload] = GetParam();
  ExpectExact(jdk, workload, {Retransformer()});
}

INSTANTIATE_TEST_SUITE_P(Jvm, BesideTest,
                         testing::Combine(testing::ValuesIn(FindJdks()),
                                          testing::Values("Waits", "Sleeps", "Joins", "Semaphores",
                                                          "Monitors", "Pools")),
                         Name);

}  // namespace
