/* The CPU time in the samples of a thread is what the thread itself says that it used, also of
   those that live less than an interval. */
#include <map>
#include <sstream>
#include <string>

#include "gtest/gtest.h"
#include "tests/e2e/session.h"
#include "tests/e2e/text_file.h"

namespace {

/* Lines "cpu HASH NANOS". Threads may share a hash. */
CpuTimes Said(const std::string &output) {
  CpuTimes said;
  for (const std::string &line : SplitLines(output)) {
    std::istringstream words(line);
    std::string word, hash;
    uint64_t nanos;
    if (!(words >> word >> hash >> nanos) || word != "cpu") continue; /* a word of the JVM's own */
    said[static_cast<uint32_t>(strtoul(hash.c_str(), nullptr, 16))] += nanos;
  }
  return said;
}

class CpuTest : public testing::TestWithParam<Jdk> {
 protected:
  void Compare(const std::string &sampler) {
    Session session({GetParam(), "weave"}, Program({"counted.Busy"}, {}, ",sampler=" + sampler));
    session.Wait();
    ASSERT_EQ(session.result().status, 0) << session.result().err;
    session.ExpectChecked();
    CpuTimes said = Said(session.result().out), sampled = ReadSampledCpu(session.prefix());
    ASSERT_GT(said.size(), 190u) << session.result().out.substr(0, 500);
    for (const auto &[hash, nanos] : said) {
      /* It says so a moment before its end, and spells it with code that is not yet compiled. What
         it used before it was a Java thread is no sample's. */
      EXPECT_GE(sampled[hash], nanos - nanos / 100 - 500'000) << hash;
      EXPECT_LE(sampled[hash], nanos + nanos / 100 + 10'000'000) << hash;
    }
    EXPECT_GE(SumCpuTimes(sampled), SumCpuTimes(said) - SumCpuTimes(said) / 100);
    auto info = session.dump().info;
    EXPECT_EQ(info["sampler"], sampler) << info["sampler.fallback"];
    EXPECT_EQ(info["sampler.signal.samples"] == "0", sampler == "safepoint");
  }
};

TEST_P(CpuTest, OfEachThreadIsWhatItUsed) { Compare("signal"); }

TEST_P(CpuTest, OfEachThreadIsWhatItUsedAtSafepoints) { Compare("safepoint"); }

INSTANTIATE_TEST_SUITE_P(Jvm, CpuTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
