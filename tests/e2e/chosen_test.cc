/* Tests the events that the user selects: methods (option track) and all uses of monitors
   (monitors=all). Only engine=weave supports them. */
#include <sstream>
#include <string>

#include "gtest/gtest.h"
#include "tests/e2e/compare.h"
#include "tests/e2e/session.h"
#include "tests/support/text.h"

namespace {

constexpr const char *kMethods =
    ",locks=all,track=counted.Methods$Shop.*+@counted.Methods$Timed,track=!counted.Methods$Shop."
    "left*,cpu=on";
constexpr const char *kMonitors = ",monitors=all,filter=counted.MonitorUse*";

/* A JDK, and whether the workload's threads are virtual. */
class ChosenTest : public testing::TestWithParam<std::tuple<Jdk, bool>> {
 protected:
  std::unique_ptr<Session> Run(const std::string &workload, const std::string &options) {
    auto [jdk, is_virtual] = GetParam();
    std::vector<std::string> flags = {"-Xcheck:jni", "-Xverify:all"};
    if (is_virtual) flags.push_back("-Dvirtual=true");
    auto session = std::make_unique<Session>(jdk, Program({"counted." + workload}, flags, options));
    session->Wait();
    EXPECT_EQ(session->result().status, 0) << session->result().err;
    return session;
  }

  /* Does not expect a quiet session, since the agent reports refused methods. */
  void ExpectExact(const Session &session) {
    ASSERT_TRUE(session.story().complete);
    ExpectSame(session.story(), session.dump());
    ExpectNoFaults(session.dump(), session.prefix());
    session.ExpectChecked();
  }
};

/* Returns the lines of the account that start with `word`, without that word. */
std::multiset<std::string> FindLines(const Session &session, const std::string &word) {
  std::multiset<std::string> lines;
  for (const std::string &line : SplitLines(session.result().out)) {
    if (line.rfind(word + " ", 0) == 0) lines.insert(line.substr(word.size() + 1));
  }
  return lines;
}

TEST_P(ChosenTest, RecordsTrackedMethods) {
  auto session = Run("Methods", kMethods);
  if (!session->story().skipped.empty()) GTEST_SKIP() << session->story().skipped;
  ExpectExact(*session);
  const Dump &dump = session->dump();
  std::multiset<std::string> thrown;
  int exits = 0, num_with_cpu = 0;
  for (const Event &e : dump.events) {
    if (e.kind != EVENT_METHOD_EXIT) continue;
    if (e.thrown != 0) thrown.insert(dump.classes.find(e.thrown)->second.signature);
    exits++;
    num_with_cpu += e.cpu_ns >= 0;
  }
  EXPECT_EQ(thrown, FindLines(*session, "thrown"));
  /* The JVM reports the CPU time of platform threads only. */
  EXPECT_EQ(num_with_cpu, std::get<1>(GetParam()) ? 0 : exits);
}

TEST_P(ChosenTest, NamesARefusedNativeMethodOnce) {
  auto session = Run("Methods", kMethods);
  if (!session->story().skipped.empty()) GTEST_SKIP() << session->story().skipped;
  EXPECT_EQ(session->dump().info.at("hooks.missing"),
            "counted.Methods$Shop.foreign()V: it is native");
}

TEST_P(ChosenTest, TheMethodsCommandCountsCalls) {
  auto session = Run("Methods", kMethods);
  if (!session->story().skipped.empty()) GTEST_SKIP() << session->story().skipped;
  Result methods = session->RunOrca("methods");
  EXPECT_EQ(methods.status, 0) << methods.err;
  /* fib(6) makes 25 calls, fib(4) makes 9 */
  std::string line;
  for (const std::string &l : SplitLines(methods.out)) {
    if (l.find("Shop.fib ") != std::string::npos && line.empty()) line = l;
  }
  EXPECT_NE(line.find(" 34 "), std::string::npos) << methods.out;
}

TEST_P(ChosenTest, RecordsAllUsesOfMonitors) {
  auto session = Run("MonitorUse", kMonitors);
  if (!session->story().skipped.empty()) GTEST_SKIP() << session->story().skipped;
  ExpectExact(*session);
  session->ExpectQuiet();
}

TEST_P(ChosenTest, RecordsNothingThatIsNotSelected) {
  auto session = Run("Methods", ",monitors=all,filter=counted.MonitorUse*,track=counted.No.*");
  if (!session->story().skipped.empty()) GTEST_SKIP() << session->story().skipped;
  for (const Event &e : session->dump().events) {
    EXPECT_NE(event_infos[e.kind].group, GROUP_METHOD) << event_infos[e.kind].name;
    EXPECT_NE(e.kind, EVENT_MONITOR_ENTERED);
  }
  session->ExpectQuiet();
  session->ExpectChecked();
}

INSTANTIATE_TEST_SUITE_P(Jvm, ChosenTest,
                         testing::Combine(testing::ValuesIn(FindJdks()), testing::Bool()),
                         [](const auto &info) {
                           return std::get<0>(info.param).name +
                                  (std::get<1>(info.param) ? "_virtual" : "");
                         });

}  // namespace
