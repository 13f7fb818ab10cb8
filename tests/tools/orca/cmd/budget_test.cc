#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/full_disk.h"
#include "tests/support/json.h"
#include "tests/support/text.h"
#include "tests/tools/orca/cmd/command.h"
#include "tests/tools/orca/model/small_dump.h"
#include "tools/orca/cmd/commands.h"

namespace {

const char kReserve[] = "lock: com.acme.Inventory at com.acme.Inventory.reserve = ";

// The small dump has a deadlock. `calm_` is the same program without it, and without other waits
// than those of 500 ms and 250 ms in reserve, and 125 ms in price.
class CmdBudget : public testing::Test {
 protected:
  CmdBudget() {
    WriteSmallDump(&stuck_);
    WriteSmallDump(&calm_);
    std::string events = calm_.Text(DUMP_EVENTS);
    calm_.Write(DUMP_EVENTS, events.substr(0, events.find("104.0000000000,ObjectWait")));
  }
  ~CmdBudget() override {
    for (const char *name : {"/locks", "/junit", "/markdown", "/sarif", "/link"})
      unlink((calm_.Folder() + name).c_str());
  }

  std::string File(const std::string &name = "locks") { return calm_.Folder() + "/" + name; }
  void Write(const std::string &text) { std::ofstream(File()) << text; }
  Outcome Run(std::vector<std::string> words, const std::vector<const DumpFiles *> &runs) {
    words.insert(words.begin(), "budget");
    words.push_back(File());
    for (const DumpFiles *run : runs) words.push_back(run->Prefix());
    return RunCommand(cmd_budget, words);
  }

  DumpFiles stuck_, calm_;
};

TEST_F(CmdBudget, KeptBudgetsAreAnExitStatusOfZero) {
  Write(std::string("blocked = 50%\n") + kReserve + "2 waits, longest 500ms\n");
  Outcome o = Run({}, {&calm_});
  EXPECT_EQ(o.status, 0) << o.out;
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(
      o.out,
      "NOT PROVEN  order: lock orders need the options monitors=all,filter=YOUR.CLASSES.* "
      "and locks=all\n"
      "NOT PROVEN  value: without the options monitors=all,filter=YOUR.CLASSES.* only values "
      "that threads wait for are seen\n"
      "NOT PROVEN  sleep: without the options monitors=all,filter=YOUR.CLASSES.* it is seldom "
      "certain how long a monitor is held\n"
      "NOT PROVEN  io: without the options monitors=all,filter=YOUR.CLASSES.* it is seldom "
      "certain how long a monitor is held\n" +
          File() + ": 0 budgets are broken, 4 are kept, 4 are not proven, in 1 run\n");
}

TEST_F(CmdBudget, ABrokenBudgetIsAnExitStatusOfThree) {
  Write("");
  Outcome o = Run({}, {&calm_, &stuck_});
  EXPECT_EQ(o.status, 3);
  EXPECT_TRUE(Has(o.out, "BROKEN  deadlock: ")) << o.out;
  EXPECT_TRUE(Has(o.out, "\n  found in\n    " + stuck_.Prefix() + "\n")) << o.out;
  EXPECT_TRUE(Has(o.out, "\n  more: orca deadlocks " + stuck_.Prefix() + "\n")) << o.out;
  Write(std::string(kReserve) + "1 waits, longest 1s\n");
  EXPECT_EQ(Run({}, {&calm_}).status, 3);
  Write(std::string(kReserve) + "2 waits, longest 499ms\n");
  EXPECT_EQ(Run({}, {&calm_}).status, 3);
}

TEST_F(CmdBudget, OneRunThatKeepsATimeIsEnough) {
  DumpFiles quiet;
  WriteSmallDump(&quiet);
  quiet.Write(DUMP_EVENTS, "");
  Write("lock: * = 1 waits, longest 1ms\n");
  EXPECT_EQ(Run({}, {&calm_, &calm_}).status, 3);
  EXPECT_EQ(Run({}, {&calm_, &quiet, &calm_}).status, 0);
}

TEST_F(CmdBudget, SaysWhetherOneMoreRunMayKeepTheBudgets) {
  Write("lock: * = 1 waits, longest 1ms\n");
  EXPECT_EQ(Run({"--retryable"}, {&calm_}).status, 5);
  EXPECT_EQ(Run({"--retryable"}, {&calm_, &stuck_}).status, 3);
  Write("");
  EXPECT_EQ(Run({"--retryable"}, {&calm_}).status, 0);
}

TEST_F(CmdBudget, WritesAFileThatTheRunsKeep) {
  Outcome o = Run({"--update"}, {&calm_, &calm_});
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  std::string text = ReadFile(File());
  EXPECT_TRUE(Has(text, "\nlock: * = 20 waits, longest 100ms\n")) << text;
  EXPECT_TRUE(Has(text, std::string("\n") + kReserve + "20 waits, longest 1s\n")) << text;
  EXPECT_EQ(Run({}, {&calm_}).status, 0);
  EXPECT_EQ(Run({"--update"}, {&calm_}).status, 0);
  EXPECT_EQ(ReadFile(File()), text);
}

// Its threads were blocked until the run was ended.
TEST_F(CmdBudget, AnUpdateRefusesARunWithADeadlock) {
  Write("blocked = 5%\n");
  for (const std::vector<std::string> &words :
       {std::vector<std::string>{"--update"}, {"--update", "--accept"}}) {
    Outcome o = Run(words, {&calm_, &stuck_});
    EXPECT_EQ(o.status, 2);
    EXPECT_EQ(o.out, "");
    EXPECT_EQ(o.err, "orca: budget: " + stuck_.Prefix() +
                         " has a deadlock, so it cannot make budgets; mend it and record again\n");
  }
  EXPECT_EQ(ReadFile(File()), "blocked = 5%\n");
}

// The lock of calm_ is a string from now on.
TEST_F(CmdBudget, AnUpdateSaysWhatTheNewFileDoesNotAllow) {
  calm_.Replace(DUMP_CLASSES, "Lcom/acme/Inventory;,Inventory.java",
                "Ljava/lang/String;,String.java");
  Outcome o = Run({"--update"}, {&calm_});
  EXPECT_EQ(o.status, 3);
  EXPECT_TRUE(Has(o.out, "BROKEN  value: ")) << o.out;
  EXPECT_EQ(o.err, "orca: budget: " + File() +
                       " is written; it does not allow the problems: mend them, or accept them "
                       "with --update --accept\n");
  o = Run({"--update", "--accept"}, {&calm_});
  EXPECT_EQ(o.status, 0) << o.out;
  EXPECT_EQ(o.err, "");
}

TEST_F(CmdBudget, AFailedUpdateLeavesTheFileAsItWas) {
  const std::string text = "# " + std::string(2000, 'x') + "\nlock: * = 1 waits, longest 1ms\n";
  Write(text);
  Outcome o;
  {
    FullDisk disk(1000); /* the message is also in a file */
    o = Run({"--update"}, {&calm_});
  }
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.err, "orca: budget: cannot write " + File() + ": File too large\n");
  EXPECT_EQ(ReadFile(File()), text);
}

TEST_F(CmdBudget, AnUpdateRefusesARunThatLostEvents) {
  Write("lost = 100\n");
  calm_.Replace(DUMP_INFO, "events.dropped=0", "events.dropped=3");
  EXPECT_EQ(Run({}, {&calm_}).status, 0);
  Outcome o = Run({"--update"}, {&calm_});
  EXPECT_EQ(o.status, 2);
  EXPECT_EQ(o.err, "orca: budget: " + calm_.Prefix() +
                       " lost events, so it cannot make budgets; record it again\n");
  EXPECT_EQ(ReadFile(File()), "lost = 100\n");
}

TEST_F(CmdBudget, WritesTheFindingsForMachines) {
  Write("");
  Outcome o = Run({"--junit=" + File("junit"), "--markdown", File("markdown"), "--sarif",
                   File("sarif"), "--format=json"},
                  {&stuck_});
  EXPECT_EQ(o.status, 3) << o.err;
  EXPECT_EQ(ReadJson(o.out)["broken"].Integer(), 1u);
  EXPECT_TRUE(Has(ReadFile(File("junit")), "<failure type=\"deadlock\""));
  EXPECT_TRUE(Has(ReadFile(File("markdown")), "| **broken** | deadlock: "));
  Json log = ReadJson(ReadFile(File("sarif")));
  const Json &results = log["runs"].items[0]["results"];
  ASSERT_EQ(results.items.size(), 1u);
  const Json &place = results.items[0]["locations"].items[0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"].text, "com/acme/Inventory.java");
}

TEST_F(CmdBudget, RefusesWrongUse) {
  ExpectMisuses(cmd_budget, "budget",
                {{{}, "which file of budgets? FILE is missing"},
                 {{"--accept", "f", "p"}, "--accept needs --update"},
                 {{"--update", "--", "-", "p"},
                  "--update needs a file, not -: the standard output has the verdict"},
                 {{"--retryable", "--update", "f", "p"},
                  "--retryable is for a check, and --update writes the budgets"}});
}

TEST_F(CmdBudget, RefusesFilesThatCannotBeRead) {
  Outcome o = Run({}, {&calm_});
  EXPECT_EQ(o.status, 2);
  EXPECT_EQ(o.err,
            "orca: budget: cannot read " + File() +
                ": No such file or directory; orca budget --update makes it from recordings\n");
  Write("lost = 0\n");
  std::filesystem::create_symlink("locks", File("link"));
  for (const std::vector<std::string> &words : {std::vector<std::string>{"--junit", File()},
                                                {"--junit=" + File("x"), "--sarif", File("x")},
                                                {"--junit", File("./locks")},
                                                {"--sarif", File("link")},
                                                {"--junit=" + File("x"), "--sarif", File("./x")}}) {
    o = Run(words, {&calm_});
    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(Has(o.err, "FILE, --junit, --markdown and --sarif need files of their own"))
        << o.err;
  }
  EXPECT_EQ(ReadFile(File()), "lost = 0\n");
  Write("lost = 0\nlock: A\n");
  for (const char *option : {"--format=text", "--update"}) {
    o = Run({option}, {&calm_});
    EXPECT_EQ(o.status, 2);
    EXPECT_EQ(o.err.find("orca: budget: " + File() + ": line 2: a lock takes its limits"), 0u)
        << o.err;
  }
  EXPECT_EQ(ReadFile(File()), "lost = 0\nlock: A\n");
  Write("");
  EXPECT_EQ(RunCommand(cmd_budget, {"budget", calm_.Folder(), calm_.Prefix()}).status, 2);
}

}  // namespace
