/* The workloads that count their own calls (tests/workloads/counted), compared with the dump. */
#include <string>
#include <tuple>

#include "gtest/gtest.h"
#include "tests/e2e/compare.h"
#include "tests/e2e/session.h"

namespace {

/* A workload, and how it is run. */
struct Run {
  std::string workload;
  std::vector<std::string> flags;
  std::string options;
  std::string name() const { return workload + (flags.empty() ? "" : "Virtual"); }
};

void PrintTo(const Run &run, std::ostream *out) { *out << run.name(); }

/* Those of the documented events, with all defaults. */
std::vector<Run> Documented() {
  std::vector<Run> runs;
  for (const char *workload :
       {"Waits", "Sleeps", "Joins", "Semaphores", "Starts", "Monitors", "Names", "ManyThreads",
        "Unloading", "OddNames", "Virtual", "ManyVirtual"}) {
    runs.push_back({workload, {}, ""});
  }
  return runs;
}

/* Those of java.util.concurrent, with each acquisition of a lock, on threads of both sorts. */
std::vector<Run> Concurrent() {
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

TEST_P(WorkloadTest, DumpTellsTheSame) {
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

INSTANTIATE_TEST_SUITE_P(Documented, WorkloadTest,
                         testing::Combine(testing::ValuesIn(FindSetups()),
                                          testing::ValuesIn(Documented())),
                         Name);

INSTANTIATE_TEST_SUITE_P(Concurrent, WorkloadTest,
                         testing::Combine(testing::ValuesIn(FindSetups()),
                                          testing::ValuesIn(Concurrent())),
                         Name);

/* The JDK means the same under all hooks: a workload that checks that itself. */
class MeaningTest : public testing::TestWithParam<Setup> {
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

TEST_P(MeaningTest, OfTheJdkIsUnchanged) { ExpectUnchanged(""); }

TEST_P(MeaningTest, OfTheJdkIsUnchangedUnderAllHooks) {
  if (GetParam().engine != "weave") GTEST_SKIP() << "it has no more hooks than by default";
  ExpectUnchanged(",locks=all,monitors=all,filter=counted.*,track=counted.*");
}

INSTANTIATE_TEST_SUITE_P(Jvm, MeaningTest, testing::ValuesIn(FindSetups()),
                         [](const auto &info) { return SetupName(info.param); });

TEST(Jdks, AtLeastOneIsFound) { EXPECT_FALSE(FindJdks().empty()); }

}  // namespace
