/* Tests that no JVM crashes under the signal sampler at its shortest interval. The program does
   everything that is hard to decode: it compiles, deoptimizes, throws, overflows stacks, starts
   threads, unloads classes and collects garbage. Environment variables: ORCA_TORTURE=all        run
   all sets of flags, not only the first ones ORCA_TORTURE_MS=60000   run time of each, in
   milliseconds */
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/e2e/session.h"

namespace {

constexpr int kNumDefault = 2; /* sets of flags that always run */

/* The test adds -XX:+IgnoreUnrecognizedVMOptions, since not every JDK has all flags. */
const char *const kFlags[] = {
    "-XX:ReservedCodeCacheSize=6m",
    "-Xcomp -XX:+UseSerialGC",
    "-Xint -XX:+UseZGC",
    "-XX:+UseG1GC",
    "-XX:+UseParallelGC -XX:TieredStopAtLevel=1",
    "-XX:+UseZGC",
    "-XX:-TieredCompilation",
    "-XX:+UseSerialGC -XX:-UseCountedLoopSafepoints -XX:LoopStripMiningIter=0",
    "-XX:+UnlockDiagnosticVMOptions -XX:+StressLCM -XX:+StressGCM -XX:+StressIGVN -XX:+StressCCP",
    "-XX:+UnlockDiagnosticVMOptions -XX:GuaranteedSafepointInterval=1",
    "-XX:PerMethodTrapLimit=2 -XX:PerBytecodeTrapLimit=1 -XX:PerMethodRecompilationCutoff=10000",
    "-XX:-UseCompressedOops -XX:+UseParallelGC",
    "-XX:MaxInlineLevel=0",
    "-XX:-Inline -XX:+UseSerialGC",
    "-XX:StartFlightRecording:settings=profile",
    "-Xcheck:jni -Xverify:all",
};

std::string ReadVariable(const char *name, const char *fallback) {
  const char *value = getenv(name);
  return value == nullptr ? fallback : value;
}

class Torture : public testing::TestWithParam<std::tuple<Jdk, int>> {};

TEST_P(Torture, DoesNotCrash) {
  auto &[jdk, number] = GetParam();
  if (number >= kNumDefault && ReadVariable("ORCA_TORTURE", "") != "all") GTEST_SKIP();
  std::istringstream in(kFlags[number]);
  std::vector<std::string> flags = {"-XX:+IgnoreUnrecognizedVMOptions", "-Xmx512m"};
  for (std::string flag; in >> flag;) flags.push_back(flag);
  Session session(jdk, Program({"counted.Torture", ReadVariable("ORCA_TORTURE_MS", "3000")}, flags,
                               ",interval=1ms", "checked"));
  session.Wait(600);
  ASSERT_EQ(session.result().status, 0) << session.result().err;
  EXPECT_NE(session.result().out.find("ended\n"), std::string::npos) << session.result().out;
  auto info = session.dump().info;
  EXPECT_EQ(info["sampler"], "signal") << info["sampler.fallback"];
  EXPECT_GT(std::stoull(info["sampler.signal.samples"]), 0u);
  EXPECT_EQ(info["stacks.differed"], "0");
  session.ExpectChecked();
}

INSTANTIATE_TEST_SUITE_P(Jvm, Torture,
                         testing::Combine(testing::ValuesIn(FindJdks()),
                                          testing::Range(0, static_cast<int>(std::size(kFlags)))),
                         [](const auto &info) {
                           return std::get<0>(info.param).name + "_" +
                                  std::to_string(std::get<1>(info.param));
                         });

}  // namespace
