/* Tests that the output of `orca export` on a real recording matches the account of the workload
   and the dump. */
#include <map>
#include <set>
#include <string>

#include "gtest/gtest.h"
#include "tests/e2e/session.h"
#include "tests/support/json.h"
#include "tests/support/text.h"

namespace {

class ExportTest : public testing::TestWithParam<Jdk> {
 protected:
  void Run(const std::string &program) {
    session_ = std::make_unique<Session>(GetParam(), Program({program}));
    session_->Wait();
    EXPECT_EQ(session_->result().status, 0) << session_->result().err;
  }
  std::string Export(const std::vector<std::string> &words) {
    Result result = session_->RunOrca("export", words);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, "");
    return result.out;
  }

  std::unique_ptr<Session> session_;
};

/* Returns the sum of the nanoseconds of all stacks. */
uint64_t SumStacks(const std::string &collapsed) {
  uint64_t sum = 0;
  for (const std::string &line : SplitLines(collapsed)) {
    sum += std::stoull(line.substr(line.rfind(' ')));
  }
  return sum;
}

TEST_P(ExportTest, StacksHaveTheCpuTimeOfTheSamples) {
  Run("orders.OrderService");
  std::string cpu = Export({"--format=collapsed"});
  EXPECT_EQ(SumStacks(cpu), SumCpuTimes(ReadSampledCpu(session_->prefix())));
  EXPECT_NE(cpu.find(";orders.Pricing.simulatePrice "), std::string::npos) << cpu;
  EXPECT_NE(Export({"--format=collapsed", "--value=blocked"}).find(";orders.Ledger.enter "),
            std::string::npos);
  Json scope = ReadJson(Export({"--format=speedscope"}));
  EXPECT_EQ(scope["profiles"].items.at(0)["endValue"].Integer(), SumStacks(cpu));
}

/* Returns how often each thread of the workload waited, from its account. */
std::map<uint32_t, size_t> CountWaits(const Story &story) {
  std::map<uint32_t, size_t> waits;
  for (const auto &[thread, steps] : story.steps) {
    for (const Step &step : steps) waits[thread] += step.kind == EVENT_OBJECT_WAIT;
  }
  return waits;
}

TEST_P(ExportTest, ATraceHasASliceForEachWait) {
  Run("counted.Waits");
  ASSERT_TRUE(session_->story().complete);
  std::map<uint32_t, size_t> expected = CountWaits(session_->story()), waits;
  for (const auto &[thread, count] : expected) waits[thread] = 0;
  const Json trace = ReadJson(Export({"--format=perfetto"}));
  for (const Json &event : trace["traceEvents"].items) {
    if (event["name"].text != "ObjectWait") continue;
    uint32_t thread = static_cast<uint32_t>(event["tid"].Integer());
    EXPECT_EQ(event["ph"].text, "X");
    if (expected.count(thread) != 0) waits[thread]++;
  }
  EXPECT_EQ(waits, expected);
}

TEST_P(ExportTest, TheMetalogHasEachClassAndMethod) {
  Run("counted.Joins");
  const Dump &dump = session_->dump();
  std::set<uint32_t> classes;
  for (const auto &[id, c] : dump.classes) classes.insert(id);
  size_t class_lines = 0, method_lines = 0;
  for (const std::string &line : SplitLines(Export({"--format=metalog"}))) {
    bool is_class = line[0] == 'L' || line[0] == '[';
    EXPECT_FALSE(is_class && method_lines > 0) << "a class after a method: " << line;
    (is_class ? class_lines : method_lines)++;
  }
  EXPECT_EQ(class_lines, classes.size());
  EXPECT_EQ(method_lines, dump.methods.size());
}

INSTANTIATE_TEST_SUITE_P(Jvm, ExportTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
