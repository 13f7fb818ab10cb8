/* Tests the sums of calls that the option threshold leaves out. The program measures each of its
   calls itself (tests/workloads/counted/ShortCalls.java). Up to a threshold of 1 s, most calls
   leave nothing but the sum; above that, the writer leaves out their pairs. With 1 ms, some calls
   are in the sums and some have lines; with 0, all have lines. */
#include <map>
#include <string>
#include <tuple>

#include "gtest/gtest.h"
#include "tests/e2e/compare.h"
#include "tests/e2e/phases.h"
#include "tests/e2e/session.h"
#include "tests/e2e/sets.h"
#include "tests/e2e/sums.h"
#include "tests/support/json.h"

namespace {

const std::string kTrack = ",track=counted.ShortCalls.step*";

std::vector<std::string> MakeFlags(bool has_methods, bool is_virtual) {
  std::vector<std::string> flags;
  if (has_methods) flags.push_back("-Dmethods=true");
  if (is_virtual) flags.push_back("-Dvirtual=true");
  return flags;
}

std::string NameThreads(bool is_virtual) { return is_virtual ? "_virtual" : ""; }

/* --- from the start of the JVM --------------------------------------------------------------- */

class ShortCallsTest : public testing::TestWithParam<std::tuple<Jdk, std::string, bool>> {};

TEST_P(ShortCallsTest, AreInTheSumsOnce) {
  auto [jdk, threshold, is_virtual] = GetParam();
  std::vector<std::string> flags = MakeFlags(/* has_methods */ true, is_virtual);
  flags.push_back("-Xcheck:jni");
  Session session(jdk, Program({"counted.ShortCalls"}, flags, kTrack + ",threshold=" + threshold));
  session.Wait();
  ASSERT_EQ(session.result().status, 0) << session.result().err;
  if (!session.story().skipped.empty()) GTEST_SKIP() << session.story().skipped;
  ASSERT_TRUE(session.story().complete);
  Story story = session.story();
  const Dump &dump = session.dump();
  ExpectSameSums(story, dump);
  if (threshold != "0") LeaveOutShort(dump, &story);
  ExpectClassesOfObjects(story, dump);
  if (threshold == "0") {
    EXPECT_TRUE(dump.short_calls.empty());
  } else {
    ExpectSumOfAllPairs(dump);
  }
  session.ExpectQuiet();
  session.ExpectChecked();
}

INSTANTIATE_TEST_SUITE_P(Jvm, ShortCallsTest,
                         testing::Combine(testing::ValuesIn(FindJdks()),
                                          testing::Values("0", "1s", "10s"), testing::Bool()),
                         [](const auto &info) {
                           return std::get<0>(info.param).name + "_" + std::get<1>(info.param) +
                                  NameThreads(std::get<2>(info.param));
                         });

/* Not all frames of a virtual thread are on the stack of its carrier. */
class WalkedShortCallsTest : public testing::TestWithParam<std::tuple<Jdk, bool>> {};

TEST_P(WalkedShortCallsTest, AreWhereTheJvmWalksThem) {
  auto [jdk, is_virtual] = GetParam();
  Session session(jdk, Program({"counted.ShortCalls"}, MakeFlags(true, is_virtual),
                               kTrack + ",threshold=1s", "checked"));
  session.Wait();
  if (!session.story().skipped.empty()) GTEST_SKIP() << session.story().skipped;
  ASSERT_TRUE(session.story().complete) << session.result().err;
  ExpectSameSums(session.story(), session.dump());
  EXPECT_NE(session.dump().info.at("stacks.checked"), "0");
  EXPECT_EQ(session.dump().info.at("stacks.differed"), "0") << kDisagree << "stacks";
  session.ExpectQuiet();
}

INSTANTIATE_TEST_SUITE_P(Jvm, WalkedShortCallsTest,
                         testing::Combine(testing::ValuesIn(FindJdks()), testing::Bool()),
                         [](const auto &info) {
                           return std::get<0>(info.param).name +
                                  NameThreads(std::get<1>(info.param));
                         });

/* --- on the screen of orca top --------------------------------------------------------------- */

/* The sums of the account by object, of calls that wait for monitors and locks. */
std::map<std::string, Sum> SumLockWaits(const Story &story) {
  std::map<std::string, Sum> by_object;
  for (const ToldSum &told : story.sums) {
    bool is_lock = told.kind == EVENT_MONITOR_CONTENDED_ENTER || told.kind == EVENT_LOCK_ACQUIRE;
    char hash[9];
    snprintf(hash, sizeof hash, "%08X", told.object);
    if (is_lock) by_object[hash].Add({told.calls, told.total_ns, told.longest_ns});
  }
  return by_object;
}

class ShownShortCallsTest : public testing::TestWithParam<Jdk> {};

/* The window has all batches of sums, since it is as long as the recording. */
TEST_P(ShownShortCallsTest, AreShownByTop) {
  Session session(GetParam(), Program({"counted.ShortCalls"}, {}, ",threshold=1s"));
  session.Wait();
  ASSERT_TRUE(session.story().complete) << session.result().err;
  std::map<std::string, Sum> told = SumLockWaits(session.story());
  ASSERT_EQ(told.size(), 4u);
  Result top = session.RunOrca("top", {"--window=3600", "--top=100000", "--format=json"});
  ASSERT_EQ(top.status, 0) << top.err;
  Json window = ReadJson(top.out);
  EXPECT_LT(window["short_begin_ns"].Integer(), window["short_end_ns"].Integer());
  for (const Json &row : window["locks"].items) {
    auto sum = told.find(row["hash"].text);
    if (sum == told.end()) continue;
    SCOPED_TRACE(row["lock"].text);
    EXPECT_EQ(row["short_is_least"].text, "no");
    int64_t calls = static_cast<int64_t>(row["short_waits"].Integer() + row["waits"].Integer());
    EXPECT_EQ(calls, sum->second.calls) << kDisagree << "calls";
    EXPECT_GT(row["short_blocked_ns"].Number(), 0);
    EXPECT_LE(row["short_blocked_ns"].Number(), static_cast<double>(sum->second.total_ns));
    EXPECT_LE(row["short_longest_ns"].Number(), static_cast<double>(sum->second.longest_ns));
    told.erase(sum);
  }
  for (const auto &[hash, sum] : told) ADD_FAILURE() << kDisagree << hash << " has no row";
}

INSTANTIATE_TEST_SUITE_P(Jvm, ShownShortCallsTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

/* --- of very many objects -------------------------------------------------------------------- */

class ManyObjectsTest : public testing::TestWithParam<std::tuple<Jdk, std::string>> {};

TEST_P(ManyObjectsTest, HaveExactSumsByEvent) {
  auto [jdk, threshold] = GetParam();
  Session session(jdk, Program({"counted.ShortCalls", "objects"}, {}, ",threshold=" + threshold));
  session.Wait();
  ASSERT_EQ(session.result().status, 0) << session.result().err;
  ASSERT_TRUE(session.story().complete);
  ExpectSameSumsByEvent(session.story(), session.dump());
  ExpectSumOfAllPairs(session.dump());
  session.ExpectQuiet();
  session.ExpectChecked();
}

INSTANTIATE_TEST_SUITE_P(Jvm, ManyObjectsTest,
                         testing::Combine(testing::ValuesIn(FindJdks()),
                                          testing::Values("1s", "10s")),
                         [](const auto &info) {
                           return std::get<0>(info.param).name + "_" + std::get<1>(info.param);
                         });

/* --- in a running JVM ------------------------------------------------------------------------ */

class AttachedShortCallsTest : public testing::TestWithParam<std::tuple<Jdk, std::string, bool>> {
 protected:
  void SetUp() override {
    auto [jdk, threshold, is_virtual] = GetParam();
    if (is_virtual && jdk.version < 21) GTEST_SKIP() << "this JDK has no virtual threads";
    program_ = std::make_unique<Phases>(jdk, MakeFlags(/* has_methods */ true, is_virtual));
    options_ = kTrack + ",threshold=" + threshold;
  }

  std::string Prefix() const { return program_->Prefix("dump"); }
  void Attach(const std::string &more = "") {
    program_->Order("attach", {Prefix() + options_ + more});
  }
  Story Run() { return program_->Run("short"); }
  void Order(const std::string &command, const std::vector<std::string> &words = {}) {
    program_->Order(command, words);
  }

  /* Expects that the calls of the account are in a recording that has no fault. */
  void ExpectSums(Story story, const Dump &dump, const std::string &prefix) const {
    ExpectSameSums(story, dump);
    LeaveOutShort(dump, &story);
    ExpectClassesOfObjects(story, dump);
    ExpectNoFaults(dump, prefix);
    ExpectAccepted(prefix, program_->Prefix(""));
  }
  void ExpectSums(const Story &story, const Dump &dump) const { ExpectSums(story, dump, Prefix()); }
  /* Only the snapshot says how many threads were left out. */
  void ExpectSumsInASnapshot(const Story &story) const {
    std::string prefix = program_->TakeSnapshot();
    ExpectSums(story, ReadDump(prefix), prefix);
  }

  std::unique_ptr<Phases> program_;
  std::string options_;
};

/* What happens between two recordings is in neither of them. */
TEST_P(AttachedShortCallsTest, AreInTheSumsOfTheirRecording) {
  Run();
  for (int i = 0; i < 2; i++) {
    Attach();
    Story story = Run();
    Order("stop");
    Run();
    Dump dump = ReadDump(Prefix());
    ExpectSums(story, dump);
    ExpectSumOfAllPairs(dump);
  }
  program_->End();
}

TEST_P(AttachedShortCallsTest, AreInTheSumsAfterEachSnapshot) {
  Attach();
  Story story = Run();
  ExpectSumsInASnapshot(story);
  AddSums(Run(), &story);
  ExpectSumsInASnapshot(story);
  AddSums(Run(), &story);
  Order("stop");
  Dump dump = ReadDump(Prefix());
  ExpectSums(story, dump);
  ExpectSumOfAllPairs(dump);
  program_->End();
}

/* A snapshot ends a set of files, and has the sums up to then. */
TEST_P(AttachedShortCallsTest, AreInTheSumsOfTheirSetOfFiles) {
  Attach(",maxsize=100MB");
  Story first = Run();
  Order("snapshot", {program_->Prefix("snap")});
  Story second = Run();
  Order("stop");
  ExpectSameSums(first, ReadSets(program_->Prefix("snap")));
  ASSERT_EQ(FindSets(Prefix()).size(), 2u);
  ExpectSameSums(first, ReadDump(FindSets(Prefix())[0]));
  ExpectSameSums(second, ReadDump(FindSets(Prefix())[1]));
  AddSums(second, &first);
  Dump all = ReadSets(Prefix());
  ExpectSums(first, all);
  ExpectSumOfAllPairs(all);
  program_->End();
}

/* A call is either in a sum or has lines, also if the threshold changes between two calls. */
TEST_P(AttachedShortCallsTest, AreCountedOnceIfTheThresholdChanges) {
  Attach();
  Story story = Run();
  for (const char *threshold : {"0", "1ms", "10s", "1s"}) {
    Order("set", {"threshold=" + std::string(threshold)});
    AddSums(Run(), &story);
  }
  Order("stop");
  Dump dump = ReadDump(Prefix());
  ExpectSums(story, dump);
  ExpectSumOfAllPairs(dump);
  program_->End();
}

INSTANTIATE_TEST_SUITE_P(Jvm, AttachedShortCallsTest,
                         testing::Combine(testing::ValuesIn(FindJdks()), testing::Values("1s"),
                                          testing::Bool()),
                         [](const auto &info) {
                           return std::get<0>(info.param).name + "_" + std::get<1>(info.param) +
                                  NameThreads(std::get<2>(info.param));
                         });

}  // namespace
