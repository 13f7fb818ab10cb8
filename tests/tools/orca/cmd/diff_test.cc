#include "tools/orca/cmd/commands.h"

#include <string>
#include <vector>

#include "tests/tools/orca/cmd/command.h"
#include "tests/tools/orca/model/two_runs.h"

namespace {

bool Has(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

class CmdDiff : public testing::Test {
 protected:
  CmdDiff() {
    WriteRun(&a_, {});
    WriteRun(&b_, {.seconds = 20, .price_ms = 80, .blocked_ms = 40});
  }
  Outcome Diff(std::vector<std::string> words) {
    words.insert(words.begin(), "diff");
    return RunCommand(cmd_diff, words);
  }
  Outcome Both(std::vector<std::string> words = {}) {
    words.push_back(a_.Prefix());
    words.push_back(b_.Prefix());
    return Diff(words);
  }

  DumpFiles a_, b_;
};

TEST_F(CmdDiff, Text) {
  Outcome o = Both();
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(o.out.find("A         " + a_.Prefix()), 0u) << o.out;
  EXPECT_TRUE(Has(o.out, "* B uses 0.30 CPUs more than A")) << o.out;
}

TEST_F(CmdDiff, TheSameFilesTwice) {
  Outcome o = Diff({a_.Prefix(), a_.Path(DUMP_EVENTS)});
  EXPECT_EQ(o.status, 0);
  EXPECT_TRUE(Has(o.out, "* No change is larger than chance")) << o.out;
}

TEST_F(CmdDiff, FiltersAndFormats) {
  EXPECT_EQ(Both({"--format=csv", "--thread=worker-1", "--top=1"}).out.substr(0, 17),
            "table,row,column,");
  // each run for itself: the last half of 10 s and of 20 s, in which rates are the same
  EXPECT_TRUE(Has(Both({"--from=50%"}).out, "length              5.00 s  10.0 s\n"));
  EXPECT_TRUE(Has(Both({"--from=50%"}).out, "500 ms  800 ms  +300 ms"));
  EXPECT_EQ(Both({"--format=json"}).out.substr(0, 10), "{\"runs\":[{");
}

// What is in one of the runs alone is a change.
TEST_F(CmdDiff, WhatIsInOneOrInNone) {
  const std::string none = ": no thread is worker-3; there are ";
  Outcome o = Both({"--thread=worker-3"});
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.out, "");
  EXPECT_TRUE(Has(o.err, "orca: diff: " + a_.Prefix() + none)) << o.err;
  EXPECT_TRUE(Has(o.err, "orca: diff: " + b_.Prefix() + none)) << o.err;
  a_.Append(DUMP_EVENTS, "109.9000000000,ThreadStarted,00000009,worker-3\n");
  o = Both({"--thread=worker-3"});
  EXPECT_EQ(o.status, 0);
  EXPECT_FALSE(Has(o.err, a_.Prefix() + none)) << o.err;
  EXPECT_TRUE(Has(o.err, b_.Prefix() + none)) << o.err;
}

TEST_F(CmdDiff, WrongUse) {
  for (const std::vector<std::string> &words : std::vector<std::vector<std::string>>{
           {}, {a_.Prefix()}, {a_.Prefix(), b_.Prefix(), a_.Prefix()}, {"--frob"}}) {
    Outcome o = Diff(words);
    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(Has(o.err, "orca: diff: ")) << o.err;
    EXPECT_EQ(o.out, "");
  }
  EXPECT_TRUE(Has(Diff({a_.Prefix()}).err, "diff: it takes two dumps, not only " + a_.Prefix()));
  EXPECT_EQ(Both({"--from=15"}).status, 2);  // A lasts 10 s
}

TEST_F(CmdDiff, NoSuchDump) {
  EXPECT_EQ(Diff({a_.Prefix(), a_.Folder() + "/none"}).status, 2);
  EXPECT_EQ(Diff({a_.Folder() + "/none", a_.Prefix()}).status, 2);
}

TEST_F(CmdDiff, BrokenFiles) {
  for (DumpFiles *files : {&a_, &b_}) {
    files->Append(DUMP_EVENTS, "nonsense\n");
    Outcome o = Both();
    EXPECT_EQ(o.status, 1);
    EXPECT_TRUE(Has(o.err, "orca: diff: " + files->Path(DUMP_EVENTS) + ":")) << o.err;
    EXPECT_TRUE(Has(o.err, ": the timestamp is not seconds with ten decimals\n")) << o.err;
    EXPECT_TRUE(Has(o.out, "B uses 0.30 CPUs more"));
  }
}

TEST_F(CmdDiff, EmptyFiles) {
  DumpFiles none;
  none.Write(DUMP_EVENTS, "");
  Outcome o = Diff({none.Prefix(), none.Prefix()});
  EXPECT_EQ(o.status, 1);  // the other files lack
  EXPECT_TRUE(Has(o.out, "* No change is larger than chance")) << o.out;
}

}  // namespace
