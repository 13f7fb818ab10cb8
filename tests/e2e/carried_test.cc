/* Tests that the CPU time of a virtual thread that never unmounts counts for it. JavaThread names
   the virtual thread from JDK 24 on. */
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "tests/e2e/dump.h"
#include "tests/e2e/session.h"
#include "tests/support/eventually.h"
#include "tests/support/text.h"

namespace {

constexpr uint64_t kEnough = 100'000'000; /* of CPU time, in nanoseconds */

class CarriedTest : public testing::TestWithParam<Jdk> {
 protected:
  void SetUp() override {
    if (GetParam().version < 24) GTEST_SKIP() << "the JVM does not say which thread a carrier runs";
  }

  void Start(const std::vector<std::string> &flags) {
    program_ = std::make_unique<Process>(
        JavaCommand(GetParam(), flags, {"counted.Carried", File("begin"), File("end")}),
        JavaEnvironment(), scratch_.dir());
    ASSERT_TRUE(program_->WaitForLine("ready", kPatienceSeconds));
  }

  /* The program's thread begins. */
  void Begin() {
    Touch("begin");
    ASSERT_TRUE(Eventually([&] { return SplitLines(program_->ReadOut()).size() > 1; }));
    std::string line = SplitLines(program_->ReadOut())[1];
    burner_ = static_cast<uint32_t>(std::stoul(line.substr(line.find(' ') + 1), nullptr, 16));
  }

  void End() {
    Touch("end");
    EXPECT_EQ(program_->Wait(kPatienceSeconds).status, 0);
  }

  Result RunOrca(const std::vector<std::string> &words) {
    std::vector<std::string> command = {Runfile("tools/orca/orca")};
    command.insert(command.end(), words.begin(), words.end());
    std::string own = File("process" + std::to_string(++num_runs_));
    std::filesystem::create_directory(own);
    Result result = RunProcess(command, {}, own, kPatienceSeconds);
    EXPECT_EQ(result.status, 0) << result.out << result.err;
    return result;
  }

  std::string Pid() const { return std::to_string(program_->pid()); }
  std::string File(const std::string &name) const { return scratch_.dir() + "/" + name; }
  void Touch(const std::string &name) { std::ofstream(File(name)).put('\n'); }

  Scratch scratch_;
  std::unique_ptr<Process> program_;
  uint32_t burner_ = 0;
  int num_runs_ = 0;
};

TEST_P(CarriedTest, ItsCpuTimeIsItsOwn) {
  Start({AgentFlag(File("dump"))});
  Begin();
  EXPECT_TRUE(Eventually([&] { return ReadSampledCpu(File("dump"))[burner_] > kEnough; }));
  End();
  RunOrca({"check", File("dump")});
  std::string hot = RunOrca({"hot", File("dump"), "--thread=burner"}).out;
  EXPECT_TRUE(Has(hot, "Carried.compute")) << hot;
  EXPECT_FALSE(Has(hot, "ForkJoin")) << hot; /* a frame of its carrier */
}

TEST_P(CarriedTest, ItsCpuTimeIsItsOwnAlsoWithCutStacks) {
  Start({AgentFlag(File("dump") + ",depth=1")});
  Begin();
  EXPECT_TRUE(Eventually([&] { return ReadSampledCpu(File("dump"))[burner_] > kEnough; }));
  End();
  RunOrca({"check", File("dump")});
}

/* The second recording has not announced the virtual thread. */
TEST_P(CarriedTest, ALaterRecordingDoesNotKnowIt) {
  Start({});
  RunOrca({"attach", Pid(), File("first")});
  Begin();
  EXPECT_TRUE(Eventually([&] { return ReadSampledCpu(File("first"))[burner_] > kEnough; }));
  RunOrca({"stop", Pid()});
  RunOrca({"attach", Pid(), File("second")});
  EXPECT_TRUE(Eventually([&] { return SumCpuTimes(ReadSampledCpu(File("second"))) > kEnough; }));
  RunOrca({"stop", Pid()});
  EXPECT_EQ(ReadSampledCpu(File("second"))[burner_], 0u);
  for (const char *name : {"first", "second"}) RunOrca({"check", File(name)});
  End();
}

INSTANTIATE_TEST_SUITE_P(Jvm, CarriedTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
