/* Tests that the dump has all events of a program, however it ends (tests/workloads/ending). */
#include <signal.h>

#include <string>
#include <tuple>

#include "gtest/gtest.h"
#include "tests/e2e/compare.h"
#include "tests/e2e/session.h"
#include "tests/support/eventually.h"

namespace {

struct Ending {
  const char *word; /* the argument of ending.Endings */
  int signal;       /* sent to the program after it prints "end"; 0: the program ends by itself */
  int status;       /* the exit status; -1: the signal kills the program */
  const char *err;  /* part of its stderr */
};

const Ending kEndings[] = {
    {"return", 0, 0, ""},
    {"throw", 0, 1, "thrown by main"},
    {"exit", 0, 3, ""},
    {"halt", 0, 4, ""},
    {"hook", 0, 5, ""},
    {"halt-in-hook", 0, 6, ""},
    {"daemons", 0, 0, ""},
    {"sleep", SIGTERM, 143, ""},
    {"sleep", SIGINT, 130, ""},
    {"sleep", SIGHUP, 129, ""},
    {"deadlock", SIGTERM, 143, ""},
    {"sleep", SIGKILL, -1, ""},
    {"deadlock", SIGKILL, -1, ""},
};

std::string ReasonOf(const Ending &ending) {
  return ending.signal == 0 ? "exit" : std::string("signal ") + sigabbrev_np(ending.signal);
}

/* Waits until the files have what the program counted. */
void WaitUntilFlushed(Session *session) {
  Story story = ReadStory(session->process().ReadOut());
  EXPECT_TRUE(Eventually([&] { return HasAllSteps(story, ReadDump(session->prefix())); }));
}

class EndingTest : public testing::TestWithParam<std::tuple<Jdk, Ending>> {};

void PrintTo(const Ending &ending, std::ostream *out) { *out << ending.word; }

std::string Name(const testing::TestParamInfo<EndingTest::ParamType> &info) {
  auto [jdk, ending] = info.param;
  std::string name = ending.word;
  for (char &c : name) {
    if (c == '-') c = '_';
  }
  if (ending.signal != 0) name += std::string("_SIG") + sigabbrev_np(ending.signal);
  return name + "_" + jdk.name;
}

TEST_P(EndingTest, LosesNoEvent) {
  auto [jdk, ending] = GetParam();
  Session session(jdk, Program({"ending.Endings", ending.word}, {}, kWithoutLocks));
  if (ending.signal != 0) {
    ASSERT_TRUE(session.process().WaitForLine("end", 60));
    if (ending.status < 0) WaitUntilFlushed(&session);
    session.process().Signal(ending.signal);
  }
  session.Wait();
  EXPECT_EQ(session.result().status, ending.status) << session.result().err;
  EXPECT_EQ(session.result().signal, ending.status < 0 ? ending.signal : 0);
  EXPECT_NE(session.result().err.find(ending.err), std::string::npos) << session.result().err;
  EXPECT_TRUE(session.story().complete);
  EXPECT_EQ(session.dump().info.count("end.reason"), ending.status < 0 ? 0u : 1u);
  if (ending.status >= 0) {
    EXPECT_EQ(session.dump().info.at("end.reason"), ReasonOf(ending));
  }
  ExpectSame(session.story(), session.dump());
  session.ExpectQuiet();
  session.ExpectChecked();
}

INSTANTIATE_TEST_SUITE_P(Jvm, EndingTest,
                         testing::Combine(testing::ValuesIn(FindJdks()),
                                          testing::ValuesIn(kEndings)),
                         Name);

}  // namespace
