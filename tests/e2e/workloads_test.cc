/* Compares the dumps of the workloads that count their own events (tests/workloads/counted) with
   their accounts. */
#include <string>
#include <tuple>

#include "gtest/gtest.h"
#include "tests/e2e/compare.h"
#include "tests/e2e/session.h"

namespace {

/* A workload, with flags of the JVM and options of the agent. */
struct Run {
  std::string workload;
  std::vector<std::string> flags;
  std::string options;
  std::string name() const { return workload + (flags.empty() ? "" : "Virtual"); }
};

void PrintTo(const Run &run, std::ostream *out) { *out << run.name(); }

/* Workloads for the basic events, with default options. */
std::vector<Run> MakeBasicRuns() {
  std::vector<Run> runs;
  for (const char *workload :
       {"Waits", "Sleeps", "Joins", "Semaphores", "Starts", "Monitors", "Names", "ManyThreads",
        "Unloading", "OddNames", "Virtual", "ManyVirtual", "ClassLocks"}) {
    runs.push_back({workload, {}, ""});
  }
  return runs;
}

/* Workloads for java.util.concurrent, with each acquisition of a lock, on platform and virtual
 * threads. */
std::vector<Run> MakeConcurrentRuns() {
  std::vector<Run> runs = {{"Pools", {}, ",locks=all"}};
  for (const char *workload : {"Locks", "ReadWriteLocks", "Stamped", "Conditions", "Parks",
                               "Latches", "Barriers", "Phasers", "Exchangers", "Futures",
                               "ForkJoins", "Queues", "Executors", "Tries", "Silent"}) {
    runs.push_back({workload, {}, ",locks=all"});
    runs.push_back({workload, {"-Dvirtual=true"}, ",locks=all"});
  }
  return runs;
}

class WorkloadTest : public testing::TestWithParam<std::tuple<Setup, Run>> {};

std::string Name(const testing::TestParamInfo<WorkloadTest::ParamType> &info) {
  return std::get<1>(info.param).name() + "_" + SetupName(std::get<0>(info.param));
}

TEST_P(WorkloadTest, DumpMatchesTheAccount) {
  auto [setup, run] = GetParam();
  std::vector<std::string> flags = {"-Xcheck:jni", "-Xverify:all"};
  flags.insert(flags.end(), run.flags.begin(), run.flags.end());
  Session session(setup, Program({"counted." + run.workload}, flags, run.options));
  session.Wait();
  ASSERT_EQ(session.result().status, 0) << session.result().err;
  if (!session.story().skipped.empty()) GTEST_SKIP() << session.story().skipped;
  ASSERT_TRUE(session.story().complete);
  ExpectSame(session.story(), session.dump());
  session.ExpectQuiet();
  session.ExpectChecked();
}

INSTANTIATE_TEST_SUITE_P(Basic, WorkloadTest,
                         testing::Combine(testing::ValuesIn(FindSetups()),
                                          testing::ValuesIn(MakeBasicRuns())),
                         Name);

INSTANTIATE_TEST_SUITE_P(Concurrent, WorkloadTest,
                         testing::Combine(testing::ValuesIn(FindSetups()),
                                          testing::ValuesIn(MakeConcurrentRuns())),
                         Name);

/* The hooks must not change the behavior of the JDK. The workload checks that itself. */
class JdkBehaviorTest : public testing::TestWithParam<Setup> {
 protected:
  void ExpectUnchanged(const std::string &options) {
    Session session(GetParam(),
                    Program({"counted.JucMeaning"}, {"-Xcheck:jni", "-Xverify:all"}, options));
    session.Wait();
    EXPECT_EQ(session.result().status, 0) << session.result().out << session.result().err;
    session.ExpectQuiet();
    session.ExpectChecked();
  }
};

TEST_P(JdkBehaviorTest, IsUnchangedByDefault) { ExpectUnchanged(""); }

TEST_P(JdkBehaviorTest, IsUnchangedWithAllHooks) {
  if (GetParam().engine != "weave") GTEST_SKIP() << "engine=callbacks has no additional hooks";
  ExpectUnchanged(",locks=all,monitors=all,filter=counted.*,track=counted.*");
}

INSTANTIATE_TEST_SUITE_P(Jvm, JdkBehaviorTest, testing::ValuesIn(FindSetups()),
                         [](const auto &info) { return SetupName(info.param); });

TEST(Jdks, AtLeastOneIsFound) { EXPECT_FALSE(FindJdks().empty()); }

}  // namespace
