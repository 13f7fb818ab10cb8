// Tests the script of orca_contention_test, as Bazel starts it, on a program that breaks a budget
// in the runs that its arguments say (Early.java).
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/e2e/process.h"
#include "tests/e2e/scratch.h"
#include "tests/support/text.h"

namespace {

constexpr char kTest[] = "tests/bazel/early_locks_test.sh";
constexpr char kCalmUpdate[] = "tests/bazel/calm_locks_test.update.sh";
constexpr char kUpdate[] = "tests/bazel/early_locks_test.update.sh";

class ContentionTest : public testing::Test {
 protected:
  ContentionTest() {
    for (const char *name : {"/outputs", "/runs", "/tests", "/tests/bazel"}) {
      mkdir((scratch_.dir() + name).c_str(), 0700);
    }
  }

  std::string Path(const std::string &name) { return scratch_.dir() + "/" + name; }
  std::string Text(const std::string &name) {
    std::ifstream in(Path(name));
    return {std::istreambuf_iterator<char>(in), {}};
  }
  // Returns how often the program ran under the agent.
  int CountRuns() {
    int num = 0;
    while (access(Path("outputs/run-" + std::to_string(num + 1) + ".orca").c_str(), F_OK) == 0)
      num++;
    return num;
  }

  // Runs the test with these arguments of the program.
  Result Run(std::vector<std::string> words) {
    words.insert(words.begin(), kTest);
    return RunProcess(words,
                      {{"EARLY_RUNS", Path("runs")},
                       {"TEST_TARGET", "//tests/bazel:early_locks_test"},
                       {"TEST_UNDECLARED_OUTPUTS_DIR", Path("outputs")},
                       {"XML_OUTPUT_FILE", Path("test.xml")}},
                      scratch_.dir(), 100);
  }

  // Runs NAME.update of one of the tests.
  Result Update(const char *script, std::vector<std::string> words) {
    words.insert(words.begin(), script);
    return RunProcess(words, {{"BUILD_WORKSPACE_DIRECTORY", scratch_.dir()}}, scratch_.dir(), 100);
  }

  Scratch scratch_;
};

TEST_F(ContentionTest, KeepsItsBudgetInTheFirstRuns) {
  Result r = Run({"early", "0"});
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_EQ(CountRuns(), 2);
  for (const char *name : {"run-1.txt", "run-1.html", "run-2.txt", "run-2.html", "verdict.md"}) {
    EXPECT_NE(Text(std::string("outputs/") + name), "") << name;
  }
  EXPECT_TRUE(Has(Text("outputs/verdict.txt"), "early.budget: 0 budgets are broken, ")) << r.out;
  EXPECT_TRUE(Has(r.out, Text("outputs/verdict.txt"))) << r.out;
  EXPECT_TRUE(Has(Text("test.xml"), "<testcase ")) << "Bazel shows the budgets as test cases";
  EXPECT_EQ(Text("test.xml"), Text("outputs/verdict.xml"));
}

TEST_F(ContentionTest, RunsAgainIfATimeIsBroken) {
  Result r = Run({"early", "3"});
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_EQ(CountRuns(), 4) << "two runs, and two retries";
}

TEST_F(ContentionTest, FailsIfEachRunBreaksATime) {
  Result r = Run({"early", "9"});
  EXPECT_EQ(r.status, 5) << r.out << r.err;
  EXPECT_EQ(CountRuns(), 4);
  EXPECT_TRUE(Has(r.out, "BROKEN  lock: java.lang.Object at Early.acquire\n")) << r.out;
  EXPECT_TRUE(Has(r.out, "    run-4: ")) << r.out;
  EXPECT_TRUE(Has(r.out, "bazel run //tests/bazel:early_locks_test.update")) << r.out;
  EXPECT_TRUE(Has(Text("test.xml"), "<failure")) << Text("test.xml");
}

TEST_F(ContentionTest, FailsAtOnceIfAnExactBudgetIsBroken) {
  Result r = Run({"inverse"});
  EXPECT_EQ(r.status, 3) << r.out << r.err;
  EXPECT_EQ(CountRuns(), 2);
  EXPECT_TRUE(Has(
      r.out, "BROKEN  order: java.lang.Object at Early.nest > java.lang.Object at Early.nest\n"))
      << r.out;
}

TEST_F(ContentionTest, EndsAProgramThatDeadlocks) {
  Result r = Run({"deadlock"});
  EXPECT_EQ(r.status, 4) << r.out << r.err;
  EXPECT_EQ(CountRuns(), 1);
  EXPECT_TRUE(Has(r.out, "BROKEN  deadlock: java.lang.Object at Early.nest > ")) << r.out;
}

TEST_F(ContentionTest, FailsLikeAProgramThatFails) {
  Result r = Run({"exit", "7"});
  EXPECT_EQ(r.status, 7) << r.out << r.err;
  EXPECT_EQ(CountRuns(), 1);
  EXPECT_TRUE(Has(r.err, "run 1 of //tests/bazel:early_locks_test ended with status 7")) << r.err;
  EXPECT_EQ(Text("test.xml"), "") << "the program's own results stay";
}

TEST_F(ContentionTest, AnExceptionFailsTheTest) {
  Result r = Run({"frob"});
  EXPECT_EQ(r.status, 1) << r.out << r.err;
  EXPECT_TRUE(Has(r.err, "IllegalArgumentException: frob")) << r.err;
}

// The target has no arguments, so the program fails. It does not count as a run without waits.
TEST_F(ContentionTest, AnUpdateNeedsAProgramThatSucceeds) {
  Result r = Update(kUpdate, {});
  EXPECT_EQ(r.status, 1) << r.out << r.err;
  EXPECT_TRUE(Has(r.err, "run 1 of //tests/bazel:early_locks_test ended with status 1")) << r.err;
  EXPECT_NE(access(Path("tests/bazel/early.budget").c_str(), F_OK), 0);
}

TEST_F(ContentionTest, AnUpdateWritesTheFileIntoTheSourceTree) {
  Result r = Update(kCalmUpdate, {});
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_TRUE(Has(r.out, "/tests/bazel/early.budget: 0 budgets are broken, ")) << r.out;
  EXPECT_TRUE(Has(r.out, " in 4 runs\n")) << r.out;
  EXPECT_TRUE(Has(Text("tests/bazel/early.budget"), "lock: * = 20 waits, longest 100ms\n"));
  std::ofstream(Path("tests/bazel/early.budget")) << "order: A at b > B at a\n";
  r = Update(kCalmUpdate, {"--accept"});
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_FALSE(Has(Text("tests/bazel/early.budget"), "order: ")) << "no run has it";
}

TEST_F(ContentionTest, AnUpdateNeedsAWorkspaceWithThePackage) {
  Result r = RunProcess({kUpdate}, {{"BUILD_WORKSPACE_DIRECTORY", ""}}, scratch_.dir(), 100);
  EXPECT_EQ(r.status, 1);
  EXPECT_EQ(r.err,
            "orca_contention_test: start //tests/bazel:early_locks_test.update by bazel run\n");
  rmdir(Path("tests/bazel").c_str());
  r = Update(kUpdate, {});
  EXPECT_EQ(r.status, 1);
  EXPECT_EQ(r.err, "orca_contention_test: cannot write " + Path("tests/bazel/early.budget") +
                       ": the package is not in this workspace\n");
}

TEST_F(ContentionTest, ATestNeedsBazel) {
  Result r = RunProcess({kTest}, {{"TEST_UNDECLARED_OUTPUTS_DIR", ""}}, scratch_.dir(), 100);
  EXPECT_EQ(r.status, 1);
  EXPECT_EQ(r.err, "orca_contention_test: start //tests/bazel:early_locks_test by bazel test\n");
}

}  // namespace
