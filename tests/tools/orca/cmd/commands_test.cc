// Tests what the commands have in common. A table has a row for each that is not a plain view.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "tests/support/text.h"
#include "tests/tools/orca/cmd/command.h"
#include "tests/tools/orca/cmd/orca_program.h"
#include "tests/tools/orca/model/two_runs.h"
#include "tools/orca/cmd/commands.h"

namespace {

using Words = std::vector<std::string>;

// A command that reads a recording. In the texts, @ is the prefix of the recording.
struct Row {
  const char *name;
  const struct command *command;
  const char *output = "";                 // a part of the output
  const char *output_without_events = "";  // a part of the output for a recording without events
  const char *arguments = "@";             // words that it accepts
  int status = 0;                          // exit status
  int status_without_events = 0;           // exit status for a recording without events
  bool is_whole_output = false;            // that is all of it

  // Messages about wrong use.
  // Without the last @. NULL: the command needs no more.
  const char *error_of_missing = "which recording? PREFIX is missing";
  bool takes_more = false;  // than one @

  // An option with a value, a wrong value, and the message. NULL: there is none.
  const char *option = "--top";
  const char *wrong = "0";
  const char *error_of_wrong = "--top takes a number from 1, not 0";

  // The option that names a file to write. NULL: there is none.
  const char *output_option = nullptr;

  // A line of the recording is broken: the exit status, whether the command prints the rest, and
  // whether it says so in a message, or in its output.
  int broken = 1;
  bool prints_rest = true;
  bool faults_in_stderr = true;
  bool faults_in_output = false;
};

const char kWhichOne[] = "which recording? PREFIX or PID is missing";

const std::vector<Row> kRows = {
    {.name = "report",
     .command = &cmd_report,
     .output = "worker-1",
     .output_without_events = "Methods by CPU time",
     .takes_more = true,
     .faults_in_output = true},
    {.name = "html",
     .command = &cmd_html,
     .output = "OrderService",
     .output_without_events = "<!doctype html>",
     .arguments = "-o - @",
     .takes_more = true,
     .option = "-o",
     .wrong = nullptr,
     .output_option = "-o",
     .faults_in_output = true},
    {.name = "html",
     .command = &cmd_html,
     .output = "OrderService",
     .output_without_events = "<!doctype html>",
     .arguments = "@ @ -o -",
     .error_of_missing = nullptr,
     .option = "--thread",
     .wrong = nullptr,
     .output_option = "-o",
     .faults_in_output = true},
    {.name = "hot",
     .command = &cmd_hot,
     .output = "OrderService.price",
     .output_without_events = "OrderService.price"},
    {.name = "locks",
     .command = &cmd_locks,
     .output = "worker-1",
     .output_without_events = "No lock was contended, and no acquisition was counted.\n",
     .is_whole_output = true},
    {.name = "path",
     .command = &cmd_path,
     .output = "worker-1",
     .output_without_events = "No thread had any time in the recording.\n",
     .is_whole_output = true},
    {.name = "deadlocks",
     .command = &cmd_deadlocks,
     .output = "No deadlock",
     .output_without_events = "No deadlock"},
    {.name = "waits", .command = &cmd_waits, .output = "Thread.sleep", .is_whole_output = true},
    {.name = "threads",
     .command = &cmd_threads,
     .output = "worker-1",
     .output_without_events = "Threads: shares"},
    {.name = "log", .command = &cmd_log, .output = "ThreadSlept", .is_whole_output = true},
    {.name = "top",
     .command = &cmd_top,
     .output = "OrderService.price",
     .output_without_events = "CPUs busy",
     .error_of_missing = kWhichOne,
     .broken = 0,
     .faults_in_stderr = false},
    {.name = "metrics",
     .command = &cmd_metrics,
     .output = "OrderService.price",
     .output_without_events = "# EOF\n",
     .error_of_missing = kWhichOne,
     .broken = 0,
     .faults_in_stderr = false},
    {.name = "diff",
     .command = &cmd_diff,
     .output = "* No change is larger than chance",
     .output_without_events = "* No change is larger than chance",
     .arguments = "@ @",
     .error_of_missing = "which recording? PREFIX is missing after @"},
    {.name = "budget",
     .command = &cmd_budget,
     .output = " 0 budgets are broken",
     .output_without_events = " 0 budgets are broken",
     .arguments = "/dev/null @",
     .error_of_missing = "which recording? PREFIX is missing after /dev/null",
     .takes_more = true,
     .option = "--format",
     .wrong = "csv",
     .error_of_wrong = "--format takes text or json, not csv",
     .output_option = "--junit",
     .broken = 2,
     .prints_rest = false},
    {.name = "digest",
     .command = &cmd_digest,
     .output = "orca.digest,1\n",
     .output_without_events = "orca.digest,1\n",
     .arguments = "-o - @",
     .option = "-o",
     .wrong = nullptr,
     .output_option = "-o",
     .prints_rest = false},
    {.name = "methods",
     .command = &cmd_methods,
     .output = "\nOrderService.price",
     .output_without_events =
         "No calls were recorded: the option track names the methods to record.\n",
     .is_whole_output = true},
    {.name = "whatif",
     .command = &cmd_whatif,
     .output = "The limit is: ",
     .output_without_events = "No prediction: ",
     .status_without_events = 1},
    {.name = "export",
     .command = &cmd_export,
     .output = "com.acme.OrderService.price ",
     .output_without_events = "com.acme.OrderService.price ",
     .arguments = "--format=collapsed @",
     .option = "--value",
     .wrong = "cpus",
     .error_of_wrong = "--value takes cpu, wall, blocked or waits, not cpus",
     .output_option = "-o"},
    {.name = "pack",
     .command = &cmd_pack,
     .output = "\x1F\x8B",
     .output_without_events = "\x1F\x8B",
     .arguments = "-o - @",
     .option = "-o",
     .wrong = nullptr,
     .output_option = "-o",
     .broken = 0,
     .faults_in_stderr = false},
    {.name = "check",
     .command = &cmd_check,
     .output = "@.",
     .output_without_events = "@.samples",
     .status = 1,  // there is more wrong in the recording
     .status_without_events = 1,
     .option = nullptr,
     .wrong = nullptr,
     .faults_in_stderr = false,
     .faults_in_output = true},
};

// Returns kRows, and a row for each other command that reads a recording: a view with tables that
// can say anything. A recording that a JVM writes is for other tests.
std::vector<Row> ListRows() {
  std::vector<Row> rows = kRows;
  std::set<std::string> names = {"snapshot"};
  for (const Row &row : kRows) names.insert(row.name);
  for (const struct command_row &row : commands) {
    const std::string operands = row.operands;
    bool reads = operands.find("PREFIX") != std::string::npos && operands.find("PID") != 0;
    if (reads && names.count(row.name) == 0) {
      rows.push_back({.name = row.name, .command = row.command});
    }
  }
  return rows;
}

class Commands : public testing::Test {
 protected:
  Commands() {
    WriteRun(&files_, {});
    files_.Append(DUMP_EVENTS,
                  "109.9960000000,MethodEntry,00000002,1;00000010;00000000\n"
                  "109.9970000000,MethodExit,00000002,00000000,-1,1;00000010;00000000\n");
    // Without it, orca top waits for a recording to begin.
    files_.Append(DUMP_INFO, "start.utc=2026-11-20T11:37:36.123456789Z\n");
  }

  // Replaces each @ by the prefix of the recording.
  std::string Fill(std::string text) const {
    for (size_t at; (at = text.find('@')) != std::string::npos;)
      text.replace(at, 1, files_.Prefix());
    return text;
  }
  // Splits at blanks.
  static Words Split(const std::string &line) {
    std::istringstream in(line);
    return {std::istream_iterator<std::string>(in), {}};
  }
  Outcome Run(const Row &row, const std::string &line) const {
    Words words = Split(std::string(row.name) + " " + Fill(line));
    return RunCommand(*row.command, words);
  }
  void ExpectMisuse(const Row &row, const std::string &line, const std::string &says) const {
    SCOPED_TRACE(std::string("orca ") + row.name + " " + line);
    Outcome o = Run(row, line);
    EXPECT_EQ(o.status, 2);
    EXPECT_EQ(o.out, "");
    std::string end = std::string("; see orca ") + row.name + " --help\n";
    EXPECT_EQ(o.err, "orca: " + (row.name + (": " + Fill(says))) + end);
  }

  DumpFiles files_;
};

TEST_F(Commands, PrintTheirUsage) {
  const std::set<std::string> without_options = {"attach", "stop", "set", "mcp", "check"};
  for (const struct command_row &row : commands) {
    std::string operands = row.operands;
    std::string usage = std::string("usage: orca ") + row.name +
                        (without_options.count(row.name) > 0 ? "" : " [OPTION...]") +
                        (operands.empty() ? "" : " ") + operands;
    for (const char *word : {"--help", "-h"}) {
      Outcome o = RunRow(row, {row.name, word});
      EXPECT_EQ(o.status, 0) << row.name;
      EXPECT_EQ(o.err, "");
      EXPECT_EQ(o.out.substr(0, o.out.find("\n\n")), usage);
      EXPECT_TRUE(Has(o.out, "\n\nExit status: ")) << o.out;
      EXPECT_FALSE(Has(o.out, "\n\n\n")) << o.out;
    }
  }
}

TEST_F(Commands, AreFoundByName) {
  EXPECT_EQ(commands_find("locks"), &commands[COMMAND_locks]);
  EXPECT_EQ(commands_find("lock"), nullptr);
}

TEST_F(Commands, TakeOperandsAfterTwoHyphens) {
  Outcome o = RunCommand(cmd_check, Split("check -- " + files_.Prefix()));
  EXPECT_EQ(o.out, RunCommand(cmd_check, Split("check " + files_.Prefix())).out);
  EXPECT_TRUE(Has(RunCommand(cmd_check, {"check", "--", "--top"}).err, "no recording at --top"));
}

TEST_F(Commands, PrintTheirResult) {
  for (const Row &row : ListRows()) {
    SCOPED_TRACE(row.name);
    Outcome o = Run(row, row.arguments);
    EXPECT_EQ(o.status, row.status) << row.name;
    EXPECT_EQ(o.err, "");
    EXPECT_NE(o.out, "");
    EXPECT_TRUE(Has(o.out, Fill(row.output))) << row.name << "\n" << o.out.substr(0, 2000);
  }
}

TEST_F(Commands, RefuseAMissingPrefix) {
  for (const Row &row : ListRows()) {
    SCOPED_TRACE(row.name);
    std::string line = row.arguments;
    if (row.error_of_missing == nullptr) continue;
    ExpectMisuse(row, line.erase(line.rfind('@'), 1), row.error_of_missing);
  }
}

TEST_F(Commands, RefuseOnePrefixTooMany) {
  for (const Row &row : ListRows()) {
    SCOPED_TRACE(row.name);
    if (row.takes_more) continue;
    ExpectMisuse(row, row.arguments + std::string(" @"), "there is an extra argument: @");
  }
}

TEST_F(Commands, RefuseAnUnknownOption) {
  for (const Row &row : ListRows()) {
    SCOPED_TRACE(row.name);
    ExpectMisuse(row, std::string("--frob ") + row.arguments, "there is no option --frob");
  }
}

TEST_F(Commands, RefuseAnOptionWithoutItsValue) {
  for (const Row &row : ListRows()) {
    SCOPED_TRACE(row.name);
    if (row.option == nullptr) continue;
    ExpectMisuse(row, row.arguments + (" " + std::string(row.option)),
                 "a value is missing after " + std::string(row.option));
  }
}

TEST_F(Commands, RefuseAWrongValue) {
  for (const Row &row : ListRows()) {
    SCOPED_TRACE(row.name);
    if (row.wrong == nullptr) continue;
    const std::string option = row.option, wrong = row.wrong;
    ExpectMisuse(row, option + " " + wrong + " " + row.arguments, row.error_of_wrong);
    ExpectMisuse(row, option + "=" + wrong + " " + row.arguments, row.error_of_wrong);
  }
}

TEST_F(Commands, RefuseARecordingThatIsNotThere) {
  for (const Row &row : ListRows()) {
    SCOPED_TRACE(row.name);
    const std::string line = row.arguments;
    for (size_t at = 0; (at = line.find('@', at)) != std::string::npos; at++) {
      Outcome o = Run(row, std::string(line).replace(at, 1, "/no/such/dump"));
      EXPECT_EQ(o.status, 2) << row.name;
      EXPECT_EQ(o.out, "");
      EXPECT_EQ(
          o.err,
          "orca: no recording at /no/such/dump: /no/such/dump.orca does not exist (the folder "
          "cannot be read: No such file or directory)\n");
    }
  }
}

TEST_F(Commands, AcceptARecordingWithoutEvents) {
  files_.Write(DUMP_EVENTS, "");
  for (const Row &row : ListRows()) {
    SCOPED_TRACE(row.name);
    Outcome o = Run(row, row.arguments);
    EXPECT_EQ(o.status, row.status_without_events) << row.name;
    EXPECT_EQ(o.err, "");
    EXPECT_TRUE(Has(o.out, Fill(row.output_without_events))) << row.name << "\n"
                                                             << o.out.substr(0, 2000);
    EXPECT_TRUE(!row.is_whole_output || o.out == row.output_without_events)
        << row.name << "\n"
        << o.out.substr(0, 2000);
  }
}

TEST_F(Commands, FailWithABrokenLineButPrintTheRest) {
  const std::string text = files_.Text(DUMP_EVENTS);
  const std::string line = std::to_string(1 + std::count(text.begin(), text.end(), '\n')) + ": ";
  const std::string fault =
      files_.Path(DUMP_EVENTS) + ":" + line + "the timestamp is not seconds with ten decimals\n";
  files_.Append(DUMP_EVENTS, "rubbish\n");
  for (const Row &row : ListRows()) {
    SCOPED_TRACE(row.name);
    Outcome o = Run(row, row.arguments);
    const std::string says = std::string("orca: ") + row.name + ": " + fault;
    EXPECT_EQ(o.status, row.broken) << row.name;
    EXPECT_EQ(o.err.substr(0, says.size()), row.faults_in_stderr ? says : "") << row.name;
    if (row.prints_rest) {
      EXPECT_TRUE(Has(o.out, Fill(row.output))) << row.name << "\n" << o.out.substr(0, 2000);
    } else {
      EXPECT_EQ(o.out, "") << row.name;
    }
    EXPECT_EQ(Has(o.out, "out.orca:" + line), row.faults_in_output) << row.name << "\n"
                                                                    << o.out.substr(0, 2000);
  }
}

// --- files that commands write

TEST_F(Commands, NeverOverwriteTheRecording) {
  for (const Row &row : ListRows()) {
    SCOPED_TRACE(row.name);
    if (row.output_option == nullptr) continue;
    for (enum dump_file file : {DUMP_EVENTS, DUMP_SAMPLES, DUMP_INFO}) {
      const std::string name = files_.Path(file);
      Outcome o = Run(row, row.arguments + (" " + std::string(row.output_option)) + " " + name);
      EXPECT_EQ(o.status, 2) << row.name;
      EXPECT_EQ(o.err, std::string("orca: ") + row.name + ": the output must not be " + name +
                           ", which is a file of the recording\n");
      EXPECT_EQ(ReadFile(name), files_.Text(file));
    }
  }
}

TEST_F(Commands, RefuseAnOutputThatCannotBeCreated) {
  for (const Row &row : ListRows()) {
    SCOPED_TRACE(row.name);
    if (row.output_option == nullptr) continue;
    Outcome o =
        Run(row, row.arguments + (" " + std::string(row.output_option)) + " /no/such/folder/x");
    EXPECT_EQ(o.status, 2) << row.name;
    EXPECT_EQ(o.err, std::string("orca: ") + row.name +
                         ": cannot write /no/such/folder/x: No such file or directory\n");
  }
}

TEST_F(Commands, FailOnAFullDisk) {
  for (const Row &row : ListRows()) {
    SCOPED_TRACE(row.name);
    if (row.output_option == nullptr) continue;
    Outcome o = Run(row, row.arguments + (" " + std::string(row.output_option)) + " /dev/full");
    EXPECT_EQ(o.status, 1) << row.name;
    EXPECT_EQ(o.err, std::string("orca: ") + row.name +
                         ": cannot write /dev/full: No space left on device\n");
  }
}

TEST_F(Commands, FailIfTheStandardOutputIsFull) {
  OrcaProgram orca;
  for (const Row &row : ListRows()) {
    SCOPED_TRACE(row.name);
    const std::string line = std::string("orca ") + row.name + " " + Fill(row.arguments);
    EXPECT_EQ(orca.RunShell(line + " >/dev/full"), 1) << line;
    EXPECT_EQ(orca.err.find("orca: cannot write the output"), 0u) << line << "\n" << orca.err;
  }
}

}  // namespace
