/* Tests that the CPU time in the samples of each thread equals the time that the thread itself
   reports, also for threads that live shorter than an interval. */
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/e2e/session.h"
#include "tests/support/text.h"

namespace {

/* Reads lines "cpu HASH NANOS". Threads may share a hash. */
CpuTimes ReadReportedCpu(const std::string &output) {
  CpuTimes reported;
  for (const std::string &line : SplitLines(output)) {
    std::istringstream words(line);
    std::string word, hash;
    uint64_t nanos;
    if (!(words >> word >> hash >> nanos) || word != "cpu") continue; /* a line of the JVM */
    reported[static_cast<uint32_t>(strtoul(hash.c_str(), nullptr, 16))] += nanos;
  }
  return reported;
}

class CpuTest : public testing::TestWithParam<Jdk> {
 protected:
  void Compare(const std::string &sampler, const std::vector<std::string> &flags = {}) {
    Session session(GetParam(), Program({"counted.Busy"}, flags, ",sampler=" + sampler));
    session.Wait();
    ASSERT_EQ(session.result().status, 0) << session.result().err;
    session.ExpectChecked();
    CpuTimes reported = ReadReportedCpu(session.result().out),
             sampled = ReadSampledCpu(session.prefix());
    ASSERT_GT(reported.size(), 190u) << session.result().out.substr(0, 500);
    for (const auto &[hash, nanos] : reported) {
      /* A thread reads its clock as its last act; what is left is its end in the JVM. */
      EXPECT_GE(sampled[hash], nanos - nanos / 100 - 500'000) << hash;
      EXPECT_LE(sampled[hash], nanos + nanos / 100 + 10'000'000) << hash;
    }
    EXPECT_GE(SumCpuTimes(sampled), SumCpuTimes(reported) - SumCpuTimes(reported) / 100);
    auto info = session.dump().info;
    EXPECT_EQ(info["sampler"], sampler) << info["sampler.fallback"];
    EXPECT_EQ(info["sampler.signal.samples"] == "0", sampler == "safepoint");
  }
};

TEST_P(CpuTest, SamplesTheCpuTimeOfEachThreadBySignal) { Compare("signal"); }

TEST_P(CpuTest, SamplesTheCpuTimeOfEachThreadAtSafepoints) { Compare("safepoint"); }

// The threads have used 8 ms when the agent hears of them.
TEST_P(CpuTest, SamplesAllOfAThreadThatStartsSlowly) {
  for (const char *sampler : {"signal", "safepoint"}) {
    SCOPED_TRACE(sampler);
    Compare(sampler, {"-agentpath:" + Runfile("tests/e2e/libslow_start.so")});
  }
}

INSTANTIATE_TEST_SUITE_P(Jvm, CpuTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
