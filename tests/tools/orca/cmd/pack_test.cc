#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/tools/orca/cmd/command.h"
#include "tests/tools/orca/model/small_dump.h"
#include "tools/orca/cmd/commands.h"

namespace {

namespace fs = std::filesystem;

class CmdPack : public testing::Test {
 protected:
  CmdPack() {
    WriteSmallDump(&files_);
    fs::create_directory(Temporary());
    setenv("TMPDIR", Temporary().c_str(), 1);
  }
  ~CmdPack() override {
    EXPECT_TRUE(fs::is_empty(Temporary()));
    unsetenv("TMPDIR");
    for (const char *name : {"tmp", "out.tar.gz", "out.html", "away"}) {
      fs::remove_all(files_.Folder() + "/" + name);
    }
  }

  std::string Temporary() const { return files_.Folder() + "/tmp"; }
  std::string Pack() const { return files_.Prefix() + ".tar.gz"; }
  void RemoveFiles() {
    for (int file = 0; file < NUM_DUMP_FILES; file++) files_.Remove((enum dump_file)file);
  }

  DumpFiles files_;
};

TEST_F(CmdPack, EveryCommandReadsThePackLikeTheFiles) {
  struct {
    const struct command &command;
    std::vector<std::string> words;
    int names;  // how often the prefix follows
  } cases[] = {{cmd_report, {"report"}, 1},
               {cmd_report, {"report", "--format=json"}, 1},
               {cmd_hot, {"hot"}, 1},
               {cmd_locks, {"locks"}, 1},
               {cmd_deadlocks, {"deadlocks"}, 1},
               {cmd_waits, {"waits"}, 1},
               {cmd_threads, {"threads"}, 1},
               {cmd_log, {"log"}, 1},
               {cmd_methods, {"methods"}, 1},
               {cmd_check, {"check"}, 1},
               {cmd_html, {"html", "-o", "-"}, 1},
               {cmd_diff, {"diff"}, 2},
               {cmd_export, {"export", "--format=speedscope"}, 1},
               {cmd_export, {"export", "--format=metalog"}, 1}};
  std::vector<Outcome> before;
  for (auto &c : cases) {
    std::vector<std::string> words = c.words;
    words.insert(words.end(), c.names, files_.Prefix());
    before.push_back(RunCommand(c.command, words));
  }
  Outcome packed = RunCommand(cmd_pack, {"pack", files_.Prefix()});
  EXPECT_EQ(packed.status, 0) << packed.err;
  EXPECT_EQ(packed.out.find("the pack is " + Pack() + ": "), 0u) << packed.out;
  EXPECT_EQ(packed.err, "");
  RemoveFiles();
  for (size_t i = 0; i < before.size(); i++) {
    std::vector<std::string> words = cases[i].words;
    words.insert(words.end(), cases[i].names, Pack());
    Outcome o = RunCommand(cases[i].command, words);
    EXPECT_EQ(o.status, before[i].status) << words[0];
    EXPECT_EQ(o.out, before[i].out) << words[0];
    EXPECT_EQ(o.err, before[i].err) << words[0];
  }
}

TEST_F(CmdPack, WritesToFilesAndStdout) {
  std::string away = files_.Folder() + "/away";
  EXPECT_EQ(RunCommand(cmd_pack, {"pack", "-o", away, files_.Path(DUMP_INFO)}).status, 0);
  Outcome o = RunCommand(cmd_pack, {"pack", files_.Prefix(), "-o=-"});
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.out.substr(0, 2), "\x1F\x8B");
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(RunCommand(cmd_threads, {"threads", away}).status, 0);
}

TEST_F(CmdPack, PagesOfAPackAreBesideIt) {
  EXPECT_EQ(RunCommand(cmd_pack, {"pack", files_.Prefix()}).status, 0);
  RemoveFiles();
  Outcome o = RunCommand(cmd_html, {"html", Pack()});
  EXPECT_EQ(o.out, "the page is " + files_.Prefix() + ".html\n");
  EXPECT_TRUE(fs::exists(files_.Prefix() + ".html"));
}

TEST_F(CmdPack, NoCommandOverwritesWhatItReads) {
  EXPECT_EQ(RunCommand(cmd_pack, {"pack", files_.Prefix()}).status, 0);
  auto size = fs::file_size(Pack());
  for (std::vector<std::string> words :
       {std::vector<std::string>{"pack", Pack()}, {"pack", "-o", Pack(), Pack()}}) {
    Outcome o = RunCommand(cmd_pack, words);
    EXPECT_EQ(o.status, 2);
    EXPECT_EQ(o.err, "orca: pack: the output must not be " + Pack() +
                         ", which is a file of the recording\n");
  }
  Outcome o = RunCommand(cmd_html, {"html", "-o", Pack(), Pack()});
  EXPECT_EQ(o.status, 2);
  EXPECT_EQ(fs::file_size(Pack()), size);
}

TEST_F(CmdPack, SaysThatAPackIsBroken) {
  std::ofstream(Pack()) << "rubbish";
  Outcome o = RunCommand(cmd_report, {"report", Pack()});
  EXPECT_EQ(o.status, 2);
  EXPECT_EQ(o.out, "");
  EXPECT_EQ(o.err.find("orca: " + Pack() + " is incomplete, or not a file of orca pack ("), 0u)
      << o.err;
  EXPECT_EQ(o.err.find('\n'), o.err.size() - 1);
}

}  // namespace
