#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/json.h"
#include "tests/support/text.h"
#include "tests/tools/orca/cmd/command.h"
#include "tests/tools/orca/model/small_dump.h"
#include "tools/orca/cmd/commands.h"

namespace {

namespace fs = std::filesystem;

// The outputs of tests, in a folder: //a:one left two recordings in outputs.zip, //b:two a
// recording in the folder test.outputs, //c:none an outputs.zip without a recording, //d:far
// outputs elsewhere.
class CmdCollect : public testing::Test {
 protected:
  CmdCollect() {
    folder_ = testing::TempDir() + "/collect_XXXXXX";
    EXPECT_NE(mkdtemp(folder_.data()), nullptr);
    setenv("TMPDIR", folder_.c_str(), 1);
    for (const char *name : {"/a", "/b c"}) fs::create_directory(folder_ + name);
    Place("/a/run-1", nullptr);
    Place("/a/run-2", "104.0000000000,ObjectWait");
    Place("/b c/run-1", "102.0000000000,");
    RunShell("cd a && zip -q outputs.zip run-* && rm run-*");
    RunShell("echo x >notes && zip -q none.zip notes");
    events_ = Result("//a:one", "test.outputs__outputs.zip", "/a/outputs.zip") +
              Result("//b:two", "test.outputs", "/b%20c") +
              Result("//c:none", "test.outputs__outputs.zip", "/none.zip") +
              Result("//d:far", "test.outputs__outputs.zip", "/gone/outputs.zip") +
              "{\"id\":{\"progress\":{}},\"lastMessage\":true}\n";
  }
  ~CmdCollect() override {
    unsetenv("TMPDIR");
    fs::remove_all(folder_);
  }

  void RunShell(const std::string &line) {
    ASSERT_EQ(system(("cd '" + folder_ + "' && " + line).c_str()), 0) << line;
  }
  // Copies the small dump, up to the event that begins with `end`.
  void Place(const std::string &prefix, const char *end) {
    DumpFiles files;
    WriteSmallDump(&files);
    std::string events = files.Text(DUMP_EVENTS);
    if (end != nullptr) files.Write(DUMP_EVENTS, events.substr(0, events.find(end)));
    for (const char *suffix : dump_suffixes) {
      if (fs::exists(files.Prefix() + suffix)) {
        fs::copy_file(files.Prefix() + suffix, folder_ + prefix + suffix);
      }
    }
  }
  std::string Result(const std::string &label, const std::string &name, const std::string &path) {
    return "{\"id\":{\"testResult\":{\"label\":\"" + label +
           "\"}},\"testResult\":{\"testActionOutput\":[{\"name\":\"" + name +
           "\",\"uri\":\"file://" + folder_ + path + "\"}]}}\n";
  }

  Outcome Collect(std::vector<std::string> words = {}) {
    std::ofstream(folder_ + "/bep.json") << events_;
    words.insert(words.begin(), {"collect", "--build_event_json_file=" + folder_ + "/bep.json"});
    return RunCommand(cmd_collect, words);
  }

  std::string folder_, events_;
};

TEST_F(CmdCollect, AnswersForAllTests) {
  Outcome o = Collect({"--html", folder_ + "/page.html"});
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_EQ(o.err, "");
  EXPECT_TRUE(
      Has(o.out,
          "\nTests     4 tests: 2 recorded, 1 left no recording, 1 left outputs that are not "
          "on this machine; 3 recordings\n"))
      << o.out;
  EXPECT_TRUE(Has(o.out, "\n  in 1 recording of //a:one\n")) << o.out;
  EXPECT_TRUE(Has(o.out, "more: orca deadlocks " + folder_ + "/a/outputs.zip/run-1\n")) << o.out;
  const std::string page = ReadFile(folder_ + "/page.html");
  EXPECT_TRUE(Has(page, "<b>deadlock</b>")) << page;
  for (const auto &entry : fs::directory_iterator(folder_)) {
    EXPECT_FALSE(Has(entry.path().filename(), "orca")) << "a temporary folder is left";
  }
}

// The figures are the sums of what orca locks and orca budget say of each recording.
TEST_F(CmdCollect, AgreesWithTheViewsOfEachRecording) {
  const std::vector<std::string> runs = {folder_ + "/a/outputs.zip/run-1",
                                         folder_ + "/a/outputs.zip/run-2", folder_ + "/b c/run-1"};
  std::ofstream(folder_ + "/empty.budget") << "lock: * = 0 waits, longest 0ms\n";
  unsigned long long blocked = 0, waits = 0, deadlocks = 0;
  for (const std::string &run : runs) {
    Json locks = ReadJson(RunCommand(cmd_locks, {"locks", "--format=json", run}).out);
    for (const Json &lock : locks["locks"].items) {
      if (lock["sort"].text == "semaphore") continue;
      blocked += lock["blocked_ns"].Integer();
      waits += lock["waited"].Integer();
    }
    Json budget = ReadJson(
        RunCommand(cmd_budget, {"budget", "--format=json", folder_ + "/empty.budget", run}).out);
    for (const Json &row : budget["budgets"].items) {
      if (row["kind"].text == "deadlock") deadlocks += row["found"].items.size();
    }
  }
  Json all = ReadJson(Collect({"--format=json"}).out);
  unsigned long long collected_blocked = 0, collected_waits = 0, collected_deadlocks = 0;
  for (const Json &lock : all["locks"].items) {
    if (Has(lock["key"].text, "Semaphore")) continue;
    collected_blocked += lock["blocked_ns"].Integer();
    collected_waits += lock["waits"].Integer();
  }
  for (const Json &problem : all["problems"].items) {
    if (problem["kind"].text == "deadlock") collected_deadlocks += problem["recordings"].Integer();
  }
  EXPECT_GT(blocked, 0u);
  EXPECT_EQ(collected_blocked, blocked);
  EXPECT_EQ(collected_waits, waits);
  EXPECT_EQ(deadlocks, 1u);
  EXPECT_EQ(collected_deadlocks, deadlocks);
}

TEST_F(CmdCollect, CountsRecordingsThatCannotBeRead) {
  std::ofstream(folder_ + "/b c/run-1.orca", std::ios::app) << "frob\n";
  std::ofstream(folder_ + "/none.zip") << "PK\3\4frob";
  Outcome o = Collect();
  EXPECT_EQ(o.status, 1);
  EXPECT_TRUE(Has(o.err, "orca: collect: ")) << o.err;
  EXPECT_TRUE(Has(o.err, "/none.zip is incomplete, or not a zip file\n")) << o.err;
  EXPECT_TRUE(Has(o.err, "run-1.orca:")) << o.err;
  EXPECT_TRUE(Has(o.out, "1 recorded, 2 left a recording that cannot be read, ")) << o.out;
  EXPECT_TRUE(Has(o.out, "\nleft a recording that cannot be read ")) << o.out;
}

TEST_F(CmdCollect, RefusesWrongUse) {
  ExpectMisuses(cmd_collect, "collect",
                {{{}, "which build? --build_event_json_file=FILE is missing"},
                 {{"bep.json"}, "there is an extra argument: bep.json"},
                 {{"--frob"}, "there is no option --frob"},
                 {{"--html"}, "a value is missing after --html"},
                 {{"--top=0"}, "--top takes a number from 1, not 0"},
                 {{"--format=csv"}, "--format takes text or json, not csv"}});
}

TEST_F(CmdCollect, RefusesEventsThatCannotBeRead) {
  events_ = "frob\n";
  Outcome o = Collect();
  EXPECT_EQ(o.status, 2);
  EXPECT_EQ(o.err, "orca: collect: " + folder_ +
                       "/bep.json: line 1 is no JSON: boolean expected; the file has to be that "
                       "of --build_event_json_file\n");
  o = RunCommand(cmd_collect, {"collect", "--build_event_json_file", "/none/bep.json"});
  EXPECT_EQ(o.status, 2);
  EXPECT_EQ(o.err, "orca: collect: /none/bep.json: No such file or directory\n");
}

TEST_F(CmdCollect, FailsIfThePageCannotBeWritten) {
  Outcome o = Collect({"--html=/none/page.html"});
  EXPECT_NE(o.status, 0);
  EXPECT_TRUE(Has(o.err, "/none/page.html")) << o.err;
}

}  // namespace
