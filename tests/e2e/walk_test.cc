/* Tests that a stack that is found by its physical frames is the one that the JVM walks. With
   ORCA_WALK=checked the agent compares them all. The program calls notify with interpreted,
   compiled, deoptimized and unloaded code below it. ORCA_WALK_MS=60000 is the run time of each, in
   milliseconds; ORCA_WALK_FLAGS=all runs all sets of flags. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/e2e/session.h"

namespace {

constexpr int kNumDefault = 3; /* sets of flags that always run */

const char *const kFlags[] = {
    "",
    "-Xint -Xcheck:jni",
    "-XX:ReservedCodeCacheSize=5m -Xmx64m",
    "-Xcomp",
    "-XX:TieredStopAtLevel=1",
    "-XX:-TieredCompilation",
    "-XX:+UseZGC -Xmx512m",
    "-XX:+UseParallelGC -XX:MaxInlineLevel=0 -Xverify:all",
    "-XX:PerMethodTrapLimit=2 -XX:PerBytecodeTrapLimit=1 -XX:PerMethodRecompilationCutoff=10000",
};

class Walk : public testing::TestWithParam<std::tuple<Jdk, int>> {
 protected:
  static uint64_t ReadCalls(const Session &session) {
    unsigned long long calls = 0;
    EXPECT_EQ(sscanf(SkipLauncher(session.result().out).c_str(), "calls %llu", &calls), 1)
        << session.result().out;
    return calls;
  }
};

TEST_P(Walk, FindsTheStacksThatTheJvmWalks) {
  auto &[jdk, number] = GetParam();
  const char *all = getenv("ORCA_WALK_FLAGS"), *ms = getenv("ORCA_WALK_MS");
  if (number >= kNumDefault && (all == nullptr || strcmp(all, "all") != 0)) GTEST_SKIP();
  std::istringstream in(kFlags[number]);
  std::vector<std::string> flags;
  for (std::string flag; in >> flag;) flags.push_back(flag);
  Session session(jdk, Program({"counted.Walks", ms == nullptr ? "1500" : ms}, flags,
                               ",events=notify,interval=0,maxsize=1MB,keep=2", "checked"));
  session.WaitOnly(600);
  ASSERT_EQ(session.result().status, 0) << session.result().err;
  EXPECT_EQ(FindOrcaLines(session.result().err), std::vector<std::string>());
  auto info = ReadDump(session.prefix()).info;
  EXPECT_EQ(info["walk.fallback"], "");
  EXPECT_EQ(info["stacks.differed"], "0");
  uint64_t calls = ReadCalls(session);
  EXPECT_GT(std::stoull(info["stacks.checked"]), calls / 4) << "of " << calls;
}

/* Calls of java.util.concurrent contain other recorded calls, and code of the program in between:
   which of them are recorded depends on the frames between two calls. */
TEST_P(Walk, FindsTheCallersOfNestedCalls) {
  auto &[jdk, number] = GetParam();
  if (number != 0) GTEST_SKIP() << "one set of flags is enough";
  for (const char *program : {"counted.Barriers", "counted.Queues", "counted.ForkJoins"}) {
    Session session(jdk, Program({program}, {}, "", "checked"));
    session.WaitOnly(120);
    ASSERT_EQ(session.result().status, 0) << program << session.result().err;
    auto info = ReadDump(session.prefix()).info;
    EXPECT_EQ(info["stacks.differed"], "0") << program;
    EXPECT_GT(std::stoull(info["stacks.checked"]), 0u) << program;
  }
}

INSTANTIATE_TEST_SUITE_P(Jvm, Walk,
                         testing::Combine(testing::ValuesIn(FindJdks()),
                                          testing::Range(0, static_cast<int>(std::size(kFlags)))),
                         [](const auto &info) {
                           return std::get<0>(info.param).name + "_" +
                                  std::to_string(std::get<1>(info.param));
                         });

}  // namespace
