/* Tests orca status: it tells what the program, which counts its own events, knows too. */
#include <signal.h>

#include <algorithm>
#include <filesystem>

#include "gtest/gtest.h"
#include "tests/e2e/phases.h"
#include "tests/e2e/sets.h"
#include "tests/support/eventually.h"
#include "tests/support/json.h"

namespace {

class StatusTest : public testing::TestWithParam<Jdk> {
 protected:
  static Json Ask(const Phases &program) {
    Result result = program.RunOrca("status", {"--format", "json"});
    EXPECT_EQ(result.status, 0) << result.err;
    return JsonReader(result.out).Read();
  }
};

TEST_P(StatusTest, TellsWhatIsOnAndHowMuch) {
  Phases program(GetParam());
  std::string prefix = program.Prefix("dump");
  program.Order("attach",
                {prefix + ",interval=20ms,maxsize=256KB,trigger=signal=USR1:locks=all,for=1h"});
  program.Order("set", {"threshold=0", "budget=3%"});
  kill(program.pid(), SIGUSR1);
  ASSERT_TRUE(Eventually([&] { return Ask(program)["escalation"].items.size() == 1; }));
  for (int i = 0; i < 5; i++) program.Run("calls");
  program.TakeSnapshot();
  Json status = Ask(program);
  /* Without the lines that a set repeats of the sets before it. */
  double lines = 0, sets = 0;
  for (const std::string &set : FindSets(prefix)) {
    if (set.find(".trigger-") != std::string::npos) continue;
    Dump dump = ReadDump(set);
    lines += static_cast<double>(dump.events.size()) - std::stod(dump.info.at("set.threads"));
    sets++;
  }
  EXPECT_GE(lines, 5 * 1400);
  EXPECT_EQ(status["events.written"].Number(), lines);
  EXPECT_LE(status["recent.events"].Number(), status["events.written"].Number());
  EXPECT_EQ(status["events.dropped"].Number(), 0);
  EXPECT_GE(status["sampler.pause.total"].Number(), status["sampler.pause.longest"].Number());
  EXPECT_GE(status["disk.sets"].Number(), 2);
  EXPECT_EQ(status["disk.sets"].Number(), sets);
  EXPECT_EQ(status["disk.kept"].Number(), 1);
  double bytes = 0;
  for (const auto &file : std::filesystem::directory_iterator(program.Prefix(""))) {
    std::string name = file.path().filename();
    bool is_own = name.rfind("dump.", 0) == 0 && name.find(".trigger-") == std::string::npos;
    if (is_own) bytes += static_cast<double>(file.file_size());
  }
  EXPECT_NEAR(status["disk.bytes"].Number(), bytes, 0.1 * bytes);
  ASSERT_EQ(status["escalation"].items.size(), 1u);
  EXPECT_EQ(status["escalation"].items[0].text.rfind("signal,3", 0), 0u);
  ASSERT_EQ(status["changed"].items.size(), 2u);
  EXPECT_EQ(status["changed"].items[0].text, "budget=3%");
  EXPECT_EQ(status["changed"].items[1].text, "locks=all");
  Result text = program.RunOrca("status");
  EXPECT_NE(text.out.find("\nTrigger   signal has changed locks=all for 3"), std::string::npos);
  EXPECT_NE(text.out.find("\nLost      "), std::string::npos) << text.out;
  EXPECT_LE(std::count(text.out.begin(), text.out.end(), '\n'), 24);
  EXPECT_TRUE(Eventually([&] { /* of the last seconds, in which a busy machine may write nothing */
                               program.Run("calls");
                               Json now = Ask(program);
                               return now["recent.events"].Number() > 0 &&
                                      now["recent.bytes"].Number() > 0 &&
                                      now["sampler.pauses"].Number() > 0;
  }));
  program.Order("stop");
  program.Kill();
}

INSTANTIATE_TEST_SUITE_P(Jvm, StatusTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
