/* Tests that the sums of short calls have their whole time: the agent measures inside of what the
   program measures, and adds little to a call. */
#include <map>
#include <string>
#include <tuple>

#include "gtest/gtest.h"
#include "tests/e2e/session.h"
#include "tests/e2e/sums.h"

namespace {

constexpr int64_t kPauseNs = 20'000'000; /* how long most calls wait, see -Dpause */

/* How much of the time that the program measures may be missing. A thread can lose its CPU for some
   milliseconds after the agent has measured, which is more than a hundredth of a single kind. */
constexpr double kMostMissing = 0.01, kMostMissingOfKind = 0.03;

class ShortCallsTimedTest : public testing::TestWithParam<std::tuple<Jdk, std::string, bool>> {};

using Sums = std::map<std::pair<enum event_kind, std::string>, Sum>; /* by place */

/* The calls of places that wait for the whole pause each time. */
Sums SelectWaits(const Story &story) {
  Sums sums, waits;
  for (const ToldSum &sum : story.sums) {
    sums[{sum.kind, sum.place}].Add({sum.calls, sum.total_ns, sum.longest_ns});
  }
  for (const auto &[place, sum] : sums) {
    if (sum.total_ns >= sum.calls * kPauseNs) waits[place] = sum;
  }
  return waits;
}

void ExpectMissing(const Sum &told, const Sum &recorded, double most) {
  int64_t missing_ns = told.total_ns - recorded.total_ns;
  EXPECT_GE(missing_ns, 0);
  EXPECT_LE(static_cast<double>(missing_ns), most * static_cast<double>(told.total_ns))
      << missing_ns / told.calls << " ns are missing in a call";
}

TEST_P(ShortCallsTimedTest, HaveTheirWholeTime) {
  auto [jdk, threshold, is_virtual] = GetParam();
  std::vector<std::string> flags = {"-Dpause=20", "-Drounds=40", "-DownRounds=40",
                                    "-Dmethods=true"};
  if (is_virtual) flags.push_back("-Dvirtual=true");
  std::string options = ",track=counted.ShortCalls.step*,threshold=" + threshold;
  Session session(jdk, Program({"counted.ShortCalls"}, flags, options));
  session.Wait();
  if (!session.story().skipped.empty()) GTEST_SKIP() << session.story().skipped;
  ASSERT_TRUE(session.story().complete);
  Sums by_place = SumByPlace(session.dump(), session.dump().short_calls);
  std::map<enum event_kind, Sum> told, recorded;
  for (const auto &[place, sum] : SelectWaits(session.story())) {
    EXPECT_EQ(by_place[place].calls, sum.calls) << place.second;
    told[place.first].Add(sum);
    recorded[place.first].Add(by_place[place]);
  }
  EXPECT_EQ(told.size(), 15u); /* all kinds but QueueInsert */
  Sum all_told, all_recorded;
  for (const auto &[kind, sum] : told) {
    SCOPED_TRACE(event_infos[kind].name);
    ExpectMissing(sum, recorded[kind], kMostMissingOfKind);
    all_told.Add(sum);
    all_recorded.Add(recorded[kind]);
  }
  ExpectMissing(all_told, all_recorded, kMostMissing);
}

INSTANTIATE_TEST_SUITE_P(Jvm, ShortCallsTimedTest,
                         testing::Combine(testing::ValuesIn(FindJdks()),
                                          testing::Values("1s", "10s"), testing::Bool()),
                         [](const auto &info) {
                           return std::get<0>(info.param).name + "_" + std::get<1>(info.param) +
                                  (std::get<2>(info.param) ? "_virtual" : "");
                         });

}  // namespace
