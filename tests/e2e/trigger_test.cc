/* Tests the option trigger: usecases.Alarms does what a trigger waits for, and says when. */
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "gtest/gtest.h"
#include "tests/e2e/session.h"
#include "tests/support/json.h"
#include "tests/support/text.h"

namespace {

constexpr double kLatest = 6; /* seconds until a trigger has fired, on a machine with much load */

struct Case {
  const char *name;
  std::vector<std::string> words; /* arguments of the program */
  const char *trigger;
  const char *fired;  /* the name of the trigger that fires, "" for none */
  const char *reason; /* a part of what it says */
  double after;       /* seconds, from the moment that the program tells */
  int oldest;         /* JDK */
};

const Case kCases[] = {
    {"Monitors", {"monitors", "6000"}, "deadlock", "deadlock", "2 threads block each other", 1, 8},
    {"Mixed", {"mixed", "6000"}, "deadlock+cpu>100%", "deadlock", "2 threads block", 1, 8},
    {"VirtualMonitors",
     {"monitors", "6000", "virtual"},
     "deadlock",
     "deadlock",
     "2 threads block",
     1,
     25},
    {"VirtualMixed",
     {"mixed", "6000", "virtual"},
     "deadlock",
     "deadlock",
     "2 threads block",
     1,
     25},
    {"Blocked", {"blocked", "7000"}, "blocked>2s", "blocked", "has been blocked for ", 2, 8},
    {"Contention",
     {"crowd", "9000"},
     "contention>50%",
     "contention",
     "threads were blocked for ",
     5,
     8},
    {"Cpu", {"burn", "9000"}, "cpu>1%", "cpu", "the process used ", 5, 8},
    {"BlockedIsNoDeadlock", {"blocked", "3000"}, "deadlock", "", "", 0, 8},
    {"Quiet", {"quiet", "7000"}, "deadlock+blocked>1s+contention>20%+cpu>90%", "", "", 0, 8},
};

void PrintTo(const Case &c, std::ostream *out) { *out << c.name; }

/* The line `time,trigger,reason` of .info. */
struct Fired {
  double time = 0;
  std::string trigger, reason;
};

std::vector<Fired> ReadFired(const std::string &prefix) {
  std::vector<Fired> all;
  for (const std::string &line : SplitLines(ReadFile(prefix + ".info"))) {
    if (line.rfind("trigger=", 0) != 0) continue;
    std::istringstream fields(line.substr(8));
    std::string time;
    Fired fired;
    std::getline(fields, time, ',') && std::getline(fields, fired.trigger, ',') &&
        std::getline(fields, fired.reason);
    fired.time = std::stod(time);
    all.push_back(fired);
  }
  return all;
}

class TriggerTest : public testing::TestWithParam<std::tuple<Jdk, Case>> {};

TEST_P(TriggerTest, FiresWhenItShould) {
  auto [jdk, c] = GetParam();
  if (jdk.version < c.oldest) GTEST_SKIP() << "not for this JDK";
  std::vector<std::string> words = {"usecases.Alarms"};
  words.insert(words.end(), c.words.begin(), c.words.end());
  Session session(jdk, Program(words, {"-Xcheck:jni"}, std::string(",trigger=") + c.trigger));
  session.WaitOnly(60);
  ASSERT_EQ(session.result().status, 0) << session.result().err;
  std::vector<Fired> fired = ReadFired(session.prefix());
  if (*c.fired == '\0') {
    EXPECT_TRUE(fired.empty()) << fired[0].trigger << " " << fired[0].reason;
    EXPECT_FALSE(std::filesystem::exists(session.prefix() + ".trigger-1.info"));
    session.ExpectChecked();
    return;
  }
  ASSERT_EQ(fired.size(), 1u) << session.result().err;
  EXPECT_EQ(fired[0].trigger, c.fired);
  EXPECT_NE(fired[0].reason.find(c.reason), std::string::npos) << fired[0].reason;
  double at = std::stod(session.result().out.substr(session.result().out.find("AT ") + 3)) / 1e9;
  EXPECT_GE(fired[0].time, at + c.after - 1);
  EXPECT_LE(fired[0].time, at + c.after + kLatest);
  std::string said = std::string("orca: trigger ") + c.fired + ": " + fired[0].reason;
  EXPECT_NE(session.result().err.find(said), std::string::npos) << session.result().err;
  session.ExpectChecked();
}

INSTANTIATE_TEST_SUITE_P(Jvm, TriggerTest,
                         testing::Combine(testing::ValuesIn(FindJdks()), testing::ValuesIn(kCases)),
                         [](const auto &info) {
                           return std::string(std::get<1>(info.param).name) + "_" +
                                  std::get<0>(info.param).name;
                         });

/* The sets are small, so the recording has deleted its first ones long before its end. */
class PinTest : public testing::TestWithParam<Jdk> {};

TEST_P(PinTest, KeepsTheFilesUpToTheTrigger) {
  Session session(GetParam(), Program({"usecases.Alarms", "monitors", "8000"}, {},
                                      ",trigger=deadlock,maxsize=64KB,keep=2,interval=1ms"));
  session.WaitOnly(60);
  ASSERT_EQ(session.result().status, 0) << session.result().err;
  std::string kept = session.prefix() + ".trigger-1";
  EXPECT_NE(session.result().err.find("; the files up to now are kept as " + kept + ".*\n"),
            std::string::npos)
      << session.result().err;
  Scratch scratch;
  ExpectAccepted(kept, scratch.dir());
  std::string report = RunOrcaOn("report", {}, kept, scratch.dir()).out;
  EXPECT_NE(report.find("\nTrigger   deadlock after "), std::string::npos) << report;
  EXPECT_NE(report.find("DEADLOCK"), std::string::npos) << report;
  session.ExpectChecked();
}

INSTANTIATE_TEST_SUITE_P(Jvm, PinTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

/* HotSpot sends SIGUSR2 from thread to thread. */
class SignalTest : public testing::TestWithParam<Jdk> {};

TEST_P(SignalTest, FiresForEachSignalFromOutside) {
  for (auto [name, number] : {std::pair("USR1", SIGUSR1), std::pair("USR2", SIGUSR2)}) {
    SCOPED_TRACE(name);
    Session session(GetParam(), Program({"usecases.Alarms", "quiet", "4000"}, {},
                                        std::string(",trigger=signal=") + name));
    session.process().WaitUpTo(2.5);
    session.process().Signal(number);
    session.WaitOnly(60);
    EXPECT_EQ(session.result().status, 0) << session.result().err;
    std::vector<Fired> fired = ReadFired(session.prefix());
    ASSERT_EQ(fired.size(), 1u) << session.result().err;
    EXPECT_EQ(fired[0].trigger, "signal");
  }
}

INSTANTIATE_TEST_SUITE_P(Jvm, SignalTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
