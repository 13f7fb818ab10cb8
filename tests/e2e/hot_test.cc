/* Tests that counts are exact in compiled code, with every garbage collector and compiler setting.
   The flags make the compilers start early, and the program wait for them, so that most calls are
   compiled. $ORCA_HOT_CALLS sets the number of calls of each kind; 10,000,000 write 3 GB. */
#include <string>
#include <tuple>

#include "gtest/gtest.h"
#include "tests/e2e/session.h"
#include "tests/support/setting.h"
#include "tests/support/text.h"

namespace {

struct Mode {
  const char *name;
  const char *flag;
  bool has_tiers; /* the JVM selects the methods that it compiles */
};

constexpr Mode kModes[] = {
    {"G1", "-XX:+UseG1GC", true},
    {"Serial", "-XX:+UseSerialGC", true},
    {"Parallel", "-XX:+UseParallelGC", true},
    {"Z", "-XX:+UseZGC", true},
    {"WideOops", "-XX:-UseCompressedOops", true},
    {"Compiler", "-Xcomp", false},
    {"Interpreter", "-Xint", false},
};

constexpr const char *kRounds[] = {"Notify", "NotifyAll", "Release", "Acquire", "Sleep"};
constexpr double kSeconds = 600; /* enough for 10,000,000 calls on a slow machine */

std::string ReadNumCalls() { return std::to_string(ReadSetting("ORCA_HOT_CALLS", 100000)); }

/* Expects that the log of compilations has each loop with the highest tier. */
void ExpectCompiled(const std::string &log) {
  std::string text = ReadFile(log);
  for (const char *round : kRounds) {
    std::string line = std::string(" 4       counted.Hot::roundOf") + round + " ";
    EXPECT_NE(text.find(line), std::string::npos) << "not compiled: " << round;
  }
}

void PrintTo(const Mode &mode, std::ostream *out) { *out << mode.flag; }

class HotTest : public testing::TestWithParam<std::tuple<Jdk, Mode>> {};

TEST_P(HotTest, CountsEachCall) {
  auto [jdk, mode] = GetParam();
  bool sanitized = IsSanitized();
  if (sanitized && mode.flag == std::string("-XX:+UseZGC")) {
    GTEST_SKIP() << "a sanitizer uses the addresses where this collector puts its heap";
  }
  Scratch scratch;
  std::string log = scratch.dir() + "/compiled";
  std::vector<std::string> flags = {mode.flag, "-Xlog:jit+compilation=debug:file=" + log, "-Xbatch",
                                    "-XX:CompileThresholdScaling=0.1"};
  Session session(jdk, Program({"counted.Hot", ReadNumCalls()}, flags, ",depth=1"));
  session.WaitOnly(kSeconds);
  ASSERT_EQ(session.result().status, 0) << session.result().err;
  ASSERT_TRUE(session.story().complete);
  std::map<enum event_kind, int> counts = CountEvents(session.prefix(), session.story().threads);
  for (const auto &[kind, count] : session.story().counts) {
    EXPECT_EQ(counts[kind], count) << event_infos[kind].name;
  }
  EXPECT_EQ(session.story().counts.at(EVENT_OBJECT_NOTIFY), atoi(ReadNumCalls().c_str()));
  if (mode.has_tiers) ExpectCompiled(log);
  ExpectQuietOutput(session.result());
  session.ExpectChecked(kSeconds);
}

INSTANTIATE_TEST_SUITE_P(Jvm, HotTest,
                         testing::Combine(testing::ValuesIn(FindJdks()), testing::ValuesIn(kModes)),
                         [](const auto &info) {
                           return std::string(std::get<1>(info.param).name) + "_" +
                                  std::get<0>(info.param).name;
                         });

}  // namespace
