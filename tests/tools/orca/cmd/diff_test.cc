#include "tools/orca/cmd/commands.h"

#include <string>
#include <vector>

#include "tests/support/text.h"
#include "tests/tools/orca/cmd/command.h"
#include "tests/tools/orca/model/two_runs.h"

namespace {

class CmdDiff : public testing::Test {
 protected:
  CmdDiff() {
    WriteRun(&a_, {});
    WriteRun(&b_, {.seconds = 20, .price_ms = 80, .blocked_ms = 40});
  }
  Outcome RunDiff(std::vector<std::string> words) {
    words.insert(words.begin(), "diff");
    return RunCommand(cmd_diff, words);
  }
  Outcome CompareBoth(std::vector<std::string> words = {}) {
    words.push_back(a_.Prefix());
    words.push_back(b_.Prefix());
    return RunDiff(words);
  }

  DumpFiles a_, b_;
};

TEST_F(CmdDiff, PrintsTheComparison) {
  Outcome o = CompareBoth();
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(o.out.find("A         " + a_.Prefix()), 0u) << o.out;
  EXPECT_TRUE(Has(o.out, "* B uses 0.30 CPUs more than A")) << o.out;
}

TEST_F(CmdDiff, PrintsNoChangeForTheSameFiles) {
  Outcome o = RunDiff({a_.Prefix(), a_.Path(DUMP_EVENTS)});
  EXPECT_EQ(o.status, 0);
  EXPECT_TRUE(Has(o.out, "* No change is larger than chance")) << o.out;
}

TEST_F(CmdDiff, SupportsFiltersAndFormats) {
  EXPECT_EQ(CompareBoth({"--format=csv", "--thread=worker-1", "--top=1"}).out.substr(0, 6),
            "table,");
  // the second half of each run, 5 s and 10 s, with the same rates
  EXPECT_TRUE(Has(CompareBoth({"--from=50%"}).out, "length              5.00 s  10.0 s\n"));
  EXPECT_TRUE(Has(CompareBoth({"--from=50%"}).out, "500 ms  800 ms  +300 ms"));
  EXPECT_EQ(CompareBoth({"--format=json"}).out.substr(0, 21), "{\"schema\":2,\"runs\":[{");
}

// A thread that exists in one of the runs is a match.
TEST_F(CmdDiff, FailsOnlyIfNeitherRunMatches) {
  const std::string none = ": no thread is worker-3; there are ";
  Outcome o = CompareBoth({"--thread=worker-3"});
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.out, "");
  EXPECT_TRUE(Has(o.err, "orca: diff: " + a_.Prefix() + none)) << o.err;
  EXPECT_TRUE(Has(o.err, "orca: diff: " + b_.Prefix() + none)) << o.err;
  a_.Append(DUMP_EVENTS, "109.9000000000,ThreadStarted,00000009,worker-3\n");
  o = CompareBoth({"--thread=worker-3"});
  EXPECT_EQ(o.status, 0);
  EXPECT_FALSE(Has(o.err, a_.Prefix() + none)) << o.err;
  EXPECT_TRUE(Has(o.err, b_.Prefix() + none)) << o.err;
}

TEST_F(CmdDiff, RefusesWrongUse) {
  ExpectMisuses(cmd_diff, "diff", {{{}, "which recording? PREFIX is missing"}});
  EXPECT_EQ(CompareBoth({"--from=15"}).status, 2);  // A is only 10 s long
}

TEST_F(CmdDiff, ABrokenLimitIsExitStatus3) {
  Outcome o = CompareBoth({"--fail-on=lock+10%", "--fail-on", "wait+10%"});
  EXPECT_EQ(o.status, 3);
  EXPECT_TRUE(Has(o.out, "* BROKEN lock+10%: monitor of com.acme.Inventory at ")) << o.out;
  EXPECT_TRUE(Has(o.out, "* kept wait+10%\n")) << o.out;
  EXPECT_EQ(CompareBoth({"--fail-on=lock+300%"}).status, 0);
  EXPECT_TRUE(Has(RunDiff({"--help"}).out, "3 a limit of --fail-on is broken"));
  EXPECT_EQ(CompareBoth({"--fail-on=lock+10%", "--format=json"}).status, 3);
}

// The same recording twice, and the better one as the second.
TEST_F(CmdDiff, NoLimitIsBrokenByAnEqualOrBetterRun) {
  std::vector<std::string> all = {"--fail-on=lock+0%",   "--fail-on=blocked+0%",
                                  "--fail-on=wait+0%",   "--fail-on=waiting+0%",
                                  "--fail-on=method+0%", "--fail-on=cpu+0%"};
  for (const std::string &first : {a_.Prefix(), b_.Prefix()}) {
    std::vector<std::string> words = all;
    words.push_back(first);
    words.push_back(a_.Prefix());
    EXPECT_EQ(RunDiff(words).status, 0);
  }
}

TEST_F(CmdDiff, RefusesAWrongLimit) {
  Outcome o = CompareBoth({"--fail-on=p99+10%"});
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(Has(o.err,
                  "--fail-on takes up to 16 limits such as lock+10%, of the kinds lock, "
                  "blocked, wait, waiting, method and cpu, not p99+10%"))
      << o.err;
  EXPECT_EQ(CompareBoth(std::vector<std::string>(17, "--fail-on=lock+10%")).status, 2);
}

// Broken files prove nothing, so their status comes first.
TEST_F(CmdDiff, BrokenFilesComeBeforeABrokenLimit) {
  b_.Append(DUMP_EVENTS, "nonsense\n");
  EXPECT_EQ(CompareBoth({"--fail-on=lock+10%"}).status, 1);
}

TEST_F(CmdDiff, FailsWithBrokenFilesButPrintsTheComparison) {
  for (DumpFiles *files : {&a_, &b_}) {
    files->Append(DUMP_EVENTS, "nonsense\n");
    Outcome o = CompareBoth();
    EXPECT_EQ(o.status, 1);
    EXPECT_TRUE(Has(o.err, "orca: diff: " + files->Path(DUMP_EVENTS) + ":")) << o.err;
    EXPECT_TRUE(Has(o.err, ": the timestamp is not seconds with ten decimals\n")) << o.err;
    EXPECT_TRUE(Has(o.out, "B uses 0.30 CPUs more"));
  }
}

TEST_F(CmdDiff, AcceptsEmptyFiles) {
  DumpFiles none;
  none.Write(DUMP_EVENTS, "");
  Outcome o = RunDiff({none.Prefix(), none.Prefix()});
  EXPECT_EQ(o.status, 1);  // the other files are missing
  EXPECT_TRUE(Has(o.out, "* No change is larger than chance")) << o.out;
}

}  // namespace
