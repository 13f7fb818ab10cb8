/* Tests that CPU samples by signals name the method that uses the CPU, and its callers. The program
   ends when its threads have used a CPU time, so a busy machine makes no fewer samples.
   tools/test-cpus runs this under qemu; truth_test compares shares more exactly. */
#include <string>

#include "gtest/gtest.h"
#include "tests/e2e/session.h"
#include "tests/support/text.h"

namespace {

int Count(const std::string &text, const std::string &part) {
  int count = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) count++;
  return count;
}

class CpuStacksTest : public testing::TestWithParam<Jdk> {};

/* Thread "long-2" uses its CPU time in burn, below 21 calls of burnInDepth. */
TEST_P(CpuStacksTest, SamplesBySignalsNameTheMethodAndItsCallers) {
  Session session(GetParam(), Program({"counted.Busy"}, {}, ",sampler=signal"));
  session.Wait();
  ASSERT_EQ(session.result().status, 0) << session.result().err;
  session.ExpectChecked();
  auto info = session.dump().info;
  EXPECT_EQ(info["sampler"], "signal") << info["sampler.fallback"];
  for (int i = 0; i < 3; i++) {
    std::string thread = "long-" + std::to_string(i);
    Result stacks =
        session.RunOrca("export", {"--format=collapsed", "--value=cpu", "--thread", thread});
    ASSERT_EQ(stacks.status, 0) << stacks.err;
    double burnt = 0;
    for (const std::string &line : SplitLines(stacks.out)) {
      double nanos = std::stod(line.substr(line.rfind(' ')));
      bool is_whole = Count(line, "counted.Busy.burnInDepth;") == 10 * i + 1;
      if (is_whole && Count(line, "counted.Busy.burn") > 10 * i + 1) burnt += nanos;
    }
    EXPECT_GT(burnt, 0) << thread << "\n" << stacks.out;
  }
}

INSTANTIATE_TEST_SUITE_P(Jvm, CpuStacksTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
