/* Compares the CPU time in samples with the clock of the program while `orca set` changes the
   interval. */
#include "gtest/gtest.h"
#include "tests/e2e/phases.h"

namespace {

class SetTimedTest : public testing::TestWithParam<Jdk> {};

/* Each sample has the CPU time since the one before, so its weight is right at every interval. */
TEST_P(SetTimedTest, CpuTimeStaysTrueWhenTheIntervalChanges) {
  for (const char *sampler : {"signal", "safepoint"}) {
    SCOPED_TRACE(sampler);
    Phases program(GetParam());
    std::string prefix = program.Prefix("dump");
    program.Order("attach", {prefix + ",interval=100ms,sampler=" + sampler});
    CpuTimes expected = program.Run("burn").cpu;
    program.Order("set", {"interval=5ms", "budget=2%"});
    expected.merge(program.Run("burn").cpu);
    program.Order("set", {"interval=50ms"});
    expected.merge(program.Run("burn").cpu);
    program.Order("stop");
    CpuTimes sampled = ReadSampledCpu(prefix);
    ASSERT_EQ(expected.size(), 3u);
    for (auto [thread, ns] : expected) {
      EXPECT_NEAR(static_cast<double>(sampled[thread]), static_cast<double>(ns), 0.05 * 4e8);
    }
    program.End();
  }
}

INSTANTIATE_TEST_SUITE_P(Jvm, SetTimedTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
