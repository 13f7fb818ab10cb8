#include <sys/stat.h>

#include <fstream>
#include <string>
#include <vector>

#include "tests/support/text.h"
#include "tests/tools/orca/cmd/command.h"
#include "tests/tools/orca/model/two_runs.h"
#include "tools/orca/cmd/commands.h"

namespace {

// Replaces the names of files, in which answers differ.
std::string WithoutNames(std::string text, const std::vector<std::string> &names) {
  for (const std::string &name : names) {
    for (size_t at; (at = text.find(name)) != std::string::npos;)
      text.replace(at, name.size(), "X");
  }
  return text;
}

class CmdDigest : public testing::Test {
 protected:
  CmdDigest() {
    WriteRun(&a_, {});
    WriteRun(&b_, {.seconds = 20, .price_ms = 80, .blocked_ms = 40});
    WriteSmallDump(&stuck_);
  }
  ~CmdDigest() override {
    for (DumpFiles *files : {&a_, &b_, &stuck_}) {
      for (const char *name : {".digest", ".budget"}) unlink((files->Prefix() + name).c_str());
    }
  }

  std::string Digest(const DumpFiles &files) {
    Outcome o = RunCommand(cmd_digest, {"digest", files.Prefix()});
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(o.out, "the digest is " + files.Prefix() + ".digest\n");
    return files.Prefix() + ".digest";
  }
  Outcome Diff(const std::string &a, const std::string &b, std::vector<std::string> words = {}) {
    words.insert(words.begin(), "diff");
    words.push_back(a);
    words.push_back(b);
    return RunCommand(cmd_diff, words);
  }

  DumpFiles a_, b_, stuck_;
};

TEST_F(CmdDigest, DiffOfADigestSaysTheSame) {
  const std::string a = Digest(a_), b = Digest(b_);
  const std::vector<std::string> names = {a, b, a_.Prefix(), b_.Prefix()};
  for (const char *format : {"--format=csv", "--format=json"}) {
    std::string want = WithoutNames(Diff(a_.Prefix(), b_.Prefix(), {format}).out, names);
    EXPECT_EQ(WithoutNames(Diff(a, b_.Prefix(), {format}).out, names), want);
    EXPECT_EQ(WithoutNames(Diff(a, b, {format}).out, names), want);
  }
  std::string text = Diff(a, b_.Prefix()).out;
  EXPECT_EQ(text.find("A         " + a + ":"), 0u) << text;
  EXPECT_TRUE(Has(text, "java -jar shop.jar\n")) << text;
}

TEST_F(CmdDigest, LimitsHoldForADigest) {
  const std::string a = Digest(a_), b = Digest(b_);
  EXPECT_EQ(Diff(a, b_.Prefix(), {"--fail-on=lock+10%"}).status, 3);
  EXPECT_EQ(Diff(a, b, {"--fail-on=cpu+10%"}).status, 3);
  EXPECT_EQ(Diff(a, a_.Prefix(), {"--fail-on=lock+10%"}).status, 0);
}

TEST_F(CmdDigest, BudgetOfADigestSaysTheSame) {
  const std::string stuck = Digest(stuck_), b = Digest(b_), budget = a_.Prefix() + ".budget";
  const std::vector<std::string> names = {stuck, b, stuck_.Prefix(), b_.Prefix(), "PREFIX"};
  auto check = [&](const std::vector<std::string> &runs) {
    std::vector<std::string> words = {"budget", budget};
    words.insert(words.end(), runs.begin(), runs.end());
    return RunCommand(cmd_budget, words);
  };
  for (const char *text : {"", "lock: * = 1 waits, longest 1ms\nblocked = 1%\n",
                           "lock: * = 1000 waits, longest 10s\nblocked = 90%\n"}) {
    std::ofstream(budget) << text;
    for (bool is_stuck : {true, false}) {
      Outcome want = check({is_stuck ? stuck_.Prefix() : b_.Prefix()});
      Outcome got = check({is_stuck ? stuck : b});
      EXPECT_EQ(got.status, want.status);
      EXPECT_EQ(WithoutNames(got.out, names), WithoutNames(want.out, names));
    }
  }
}

TEST_F(CmdDigest, UpdateOfABudgetTakesDigests) {
  const std::string a = Digest(a_), b = Digest(b_), budget = a_.Prefix() + ".budget";
  EXPECT_EQ(RunCommand(cmd_budget, {"budget", "--update", budget, a_.Prefix(), b_.Prefix()}).status,
            0);
  std::string want = ReadFile(budget);
  unlink(budget.c_str());
  EXPECT_EQ(RunCommand(cmd_budget, {"budget", "--update", budget, a, b}).status, 0);
  EXPECT_EQ(ReadFile(budget), want);
  EXPECT_TRUE(Has(want, "lock: com.acme.Inventory at com.acme.Inventory.reserve = ")) << want;
}

TEST_F(CmdDigest, IsSmall) {
  struct stat st = {};
  ASSERT_EQ(stat(Digest(stuck_).c_str(), &st), 0);
  EXPECT_LT(st.st_size, 16000);
}

TEST_F(CmdDigest, OtherCommandsRefuseADigest) {
  const std::string a = Digest(a_);
  Outcome o = RunCommand(cmd_report, {"report", a});
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(Has(o.err, a + " is a digest, which only orca diff and orca budget read; give the "
                             "recording"))
      << o.err;
  EXPECT_EQ(RunCommand(cmd_digest, {"digest", a}).status, 2);
}

TEST_F(CmdDigest, ADigestHasNoFilters) {
  Outcome o = Diff(Digest(a_), b_.Prefix(), {"--thread=worker-1"});
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(
      Has(o.err, "orca: diff: filters need recordings, and " + a_.Prefix() + ".digest is a digest"))
      << o.err;
}

TEST_F(CmdDigest, ABrokenDigestIsRefused) {
  const std::string a = Digest(a_);
  std::string text = ReadFile(a);
  std::ofstream(a) << text.substr(0, text.size() / 2);
  Outcome o = Diff(a, b_.Prefix());
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(Has(o.err, "orca: " + a + ": line ")) << o.err;
  EXPECT_EQ(o.out, "");
}

TEST_F(CmdDigest, ABrokenRecordingHasNoDigest) {
  a_.Append(DUMP_EVENTS, "nonsense\n");
  Outcome o = RunCommand(cmd_digest, {"digest", a_.Prefix()});
  EXPECT_EQ(o.status, 1);
  EXPECT_NE(access((a_.Prefix() + ".digest").c_str(), F_OK), 0);
}

}  // namespace
