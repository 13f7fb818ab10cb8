/* Tests triggers that change options for a while (trigger=…:locks=all,for=2s). */
#include <signal.h>

#include <chrono>
#include <thread>

#include "gtest/gtest.h"
#include "tests/e2e/compare.h"
#include "tests/e2e/phases.h"
#include "tests/e2e/session.h"
#include "tests/support/eventually.h"
#include "tests/support/text.h"

namespace {

/* A row `from,to,cause,option=value` of .info. */
struct Row {
  double from, to;
  std::string rest;
};

std::vector<Row> ReadRows(const std::string &prefix) {
  std::vector<Row> rows;
  for (const std::string &line : SplitLines(ReadFile(prefix + ".info"))) {
    if (line.rfind("change=", 0) != 0) continue;
    size_t comma = line.find(','), second = line.find(',', comma + 1);
    rows.push_back(
        {std::stod(line.substr(7)), std::stod(line.substr(comma + 1)), line.substr(second + 1)});
  }
  return rows;
}

class EscalationTest : public testing::TestWithParam<Jdk> {
 protected:
  static size_t CountMessages(const Phases &program, const std::string &text) {
    std::string all = ReadFile(program.Prefix("stderr"));
    size_t count = 0;
    for (size_t at = 0; (at = all.find(text, at)) != std::string::npos; at++) count++;
    return count;
  }
  static void ExpectMessage(const Phases &program, const std::string &text) {
    ASSERT_TRUE(Eventually([&] { return CountMessages(program, text) > 0; },
                           [&] { return ReadFile(program.Prefix("stderr")); }))
        << text;
  }
};

const char kBegun[] = "orca: trigger signal: for 2 s from now on locks=all\n";
const char kOver[] = "orca: trigger signal: its time is over; the options are as before\n";

/* Free acquisitions have lines while the options of the trigger are in force, and only then. */
TEST_P(EscalationTest, RecordsMoreForAWhile) {
  Phases program(GetParam());
  std::string prefix = program.Prefix("dump");
  program.Order("attach", {prefix + ",interval=0,trigger=signal=USR1:locks=all,for=2s"});
  Story before = program.Run("locks");
  kill(program.pid(), SIGUSR1);
  ExpectMessage(program, kBegun);
  Story all = program.Run("locks");
  ExpectMessage(program, kOver);
  Story after = program.Run("locks");
  program.Order("stop");
  LeaveOut(GROUP_LOCK, &before);
  LeaveOut(GROUP_LOCK, &after);
  for (const Story &story : {before, all, after}) program.ExpectDump(prefix, story);
  std::vector<Row> rows = ReadRows(prefix);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].rest, "signal,locks=all");
  EXPECT_EQ(rows[1].rest, "end,locks=waits");
  EXPECT_GE(rows[1].from - rows[0].to, 1.9);
  EXPECT_EQ(CountMessages(program, kBegun), 1u);
  EXPECT_EQ(CountMessages(program, kOver), 1u);
  program.Kill();
}

TEST_P(EscalationTest, IsExtendedByASecondFiring) {
  Phases program(GetParam());
  std::string prefix = program.Prefix("dump");
  program.Order("attach", {prefix + ",interval=0,trigger=signal=USR1:locks=all,for=2s"});
  kill(program.pid(), SIGUSR1);
  ExpectMessage(program, kBegun);
  std::this_thread::sleep_for(std::chrono::milliseconds(1200));
  kill(program.pid(), SIGUSR1);
  Result set = program.RunOrca("set", {"budget=2%"});
  EXPECT_EQ(set.status, 0) << set.err;
  EXPECT_NE(set.out.find("trigger signal has changed locks=all; what was set holds in "),
            std::string::npos)
      << set.out;
  ExpectMessage(program, kOver);
  program.Order("stop");
  std::vector<Row> rows = ReadRows(prefix);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[1].rest, "set,budget=2%");
  EXPECT_EQ(rows[2].rest, "end,locks=waits");
  EXPECT_GE(rows[2].from - rows[0].to, 3.1);
  EXPECT_EQ(CountMessages(program, kBegun), 1u);
  program.Kill();
}

TEST_P(EscalationTest, EndsWithItsTrigger) {
  Phases program(GetParam());
  std::string prefix = program.Prefix("dump");
  program.Order("attach", {prefix + ",interval=0,trigger=signal=USR1:locks=all,for=1h"});
  kill(program.pid(), SIGUSR1);
  ExpectMessage(program, "orca: trigger signal: for 3600 s from now on locks=all\n");
  program.Order("set", {"trigger=off"});
  Story after = program.Run("locks");
  program.Order("stop");
  LeaveOut(GROUP_LOCK, &after);
  program.ExpectDump(prefix, after);
  program.Kill();
}

INSTANTIATE_TEST_SUITE_P(Jvm, EscalationTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
