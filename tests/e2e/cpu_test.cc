/* The CPU time in the samples of a thread is what the thread itself says that it used, also of
   those that live less than an interval. */
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "gtest/gtest.h"
#include "tests/e2e/session.h"

namespace {

using CpuTimes = std::map<std::string, int64_t>; /* nanoseconds by hash */

/* Lines "cpu HASH NANOS". Threads may share a hash. */
CpuTimes Said(const std::string &output) {
  CpuTimes said;
  std::istringstream lines(output);
  std::string word, hash;
  for (int64_t nanos; lines >> word >> hash >> nanos;) said[hash] += nanos;
  return said;
}

CpuTimes Sampled(const std::string &prefix) {
  CpuTimes sampled;
  std::ifstream file(prefix + ".samples");
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::string time, kind, thread, state, nanos;
    for (std::string *field : {&time, &kind, &thread, &state, &nanos}) {
      std::getline(fields, *field, ',');
    }
    if (kind == "Sample" && nanos != "-1") sampled[thread] += std::stoll(nanos);
  }
  return sampled;
}

class CpuTest : public testing::TestWithParam<Jdk> {};

TEST_P(CpuTest, OfEachThreadIsWhatItUsed) {
  Session session({GetParam(), "weave"}, Program({"counted.Busy"}));
  session.Wait();
  ASSERT_EQ(session.result().status, 0) << session.result().err;
  session.ExpectChecked();
  CpuTimes said = Said(session.result().out), sampled = Sampled(session.prefix());
  ASSERT_GT(said.size(), 190u);
  int64_t all_said = 0, all_sampled = 0;
  for (const auto &[hash, nanos] : said) {
    /* It says so a moment before its end, and spells it with code that is not yet compiled. */
    EXPECT_GE(sampled[hash], nanos - nanos / 100) << hash;
    EXPECT_LE(sampled[hash], nanos + nanos / 100 + 10'000'000) << hash;
    all_said += nanos;
    all_sampled += sampled[hash];
  }
  EXPECT_GE(all_sampled, all_said);
}

INSTANTIATE_TEST_SUITE_P(Jvm, CpuTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
