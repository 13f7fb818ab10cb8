// Tests the man pages and the completion of bash that tools/orca/doc/generate makes.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

std::string RunShell(const std::string &line) {
  std::string out;
  FILE *pipe = popen(line.c_str(), "r");
  for (int c; (c = getc(pipe)) != EOF;) out += static_cast<char>(c);
  EXPECT_EQ(pclose(pipe), 0) << line;
  return out;
}

bool HasProgram(const std::string &name) {
  return system(("command -v " + name + " >/dev/null").c_str()) == 0;
}

// Returns those of the names that begin with `begin`, sorted.
Words Select(const Words &names, const std::string &begin) {
  Words selected;
  std::copy_if(names.begin(), names.end(), std::back_inserter(selected),
               [&](const std::string &name) { return name.rfind(begin, 0) == 0; });
  std::sort(selected.begin(), selected.end());
  return selected;
}

const Words kCommands = {
#define COMMAND(name, operands, summary) #name,
#include "tools/orca/cmd/commands.def"
#undef COMMAND
};

const Words kFormats = {
#define FORMAT(id, needs, help) #id,
#include "tools/orca/export/format.def"
};

class Completion : public testing::Test {
 protected:
  Completion() {
    std::string path = testing::TempDir() + "/completion_XXXXXX";
    folder_ = mkdtemp(path.data());
    script_ = fs::absolute("tools/orca/doc/orca.bash");
  }
  ~Completion() override { fs::remove_all(folder_); }

  void Make(const std::string &name) { std::ofstream(folder_ + "/" + name) << ""; }

  // Returns what bash would offer at the end of the line, sorted.
  Words Complete(const std::string &line, const std::string &breaks = " \t\n\"'><=;|&(:") {
    std::ofstream(folder_ + "/.ask") << "cd '" << folder_ << "'\n. '" << script_ << "'\n"
                                     << "COMP_LINE='" << line << "'\nCOMP_POINT=${#COMP_LINE}\n"
                                     << "COMP_WORDBREAKS=$BREAKS\n_orca\n"
                                     << "for w in \"${COMPREPLY[@]}\"; do echo \"$w\"; done\n";
    setenv("BREAKS", breaks.c_str(), 1);
    std::istringstream out(RunShell("bash --norc '" + folder_ + "/.ask' 2>&1"));
    Words words;
    for (std::string word; std::getline(out, word);) words.push_back(word);
    std::sort(words.begin(), words.end());
    return words;
  }

  std::string folder_, script_;
};

bool Has(const Words &words, const std::string &word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

TEST_F(Completion, OffersCommands) {
  EXPECT_EQ(Complete("orca l"), Select(kCommands, "l"));
  EXPECT_EQ(Complete("orca pack"), Select(kCommands, "pack"));
  EXPECT_TRUE(Has(Complete("orca "), "report"));
  EXPECT_EQ(Complete("orca help opt"), Words({"options"}));
  EXPECT_EQ(Complete("orca frob x"), Words({}));
}

TEST_F(Completion, OffersOptionsOfTheCommand) {
  EXPECT_EQ(Complete("orca locks --by"), Words({"--by-class"}));
  EXPECT_EQ(Complete("orca hot --c"), Words({"--callers", "--class"}));
  EXPECT_EQ(Complete("orca check -"), Words({"--help"}));
  EXPECT_TRUE(Has(Complete("orca report p --"), "--thread"));
  EXPECT_FALSE(Has(Complete("orca html --"), "--top"));
}

TEST_F(Completion, OffersValuesOfOptions) {
  EXPECT_EQ(Complete("orca report --format "), Words({"csv", "json", "text"}));
  EXPECT_EQ(Complete("orca report --format=c"), Words({"csv"}));
  EXPECT_EQ(Complete("orca report --format=c", " \t\n"), Words({"--format=csv"}));
  EXPECT_EQ(Complete("orca hot --sort "), Words({"self", "total"}));
  EXPECT_EQ(Complete("orca export --format p"), Select(kFormats, "p"));
  EXPECT_EQ(Complete("orca export --table s"), Words({"samples", "stacks"}));
  EXPECT_EQ(Complete("orca export --value "), Words({"blocked", "cpu", "waits", "wall"}));
  EXPECT_EQ(Complete("orca hot --thread "), Words({}));
}

TEST_F(Completion, OffersRecordings) {
  for (const char *name : {"shop.orca", "shop.info", "shop.samples", "long.0001.orca",
                           "long.0002.orca", "mail.tar.gz", "notes.txt", "my shop.orca"}) {
    Make(name);
  }
  fs::create_directory(folder_ + "/old");
  Make("old/a.orca");
  EXPECT_EQ(Complete("orca report "), Words({"long", "mail.tar.gz", "my shop", "old/", "shop"}));
  EXPECT_EQ(Complete("orca locks --stack s"), Words({"shop"}));
  EXPECT_EQ(Complete("orca hot --thread main s"), Words({"shop"}));
  EXPECT_EQ(Complete("orca diff shop lo"), Words({"long"}));
  EXPECT_EQ(Complete("orca pack old/"), Words({"old/a"}));
  EXPECT_EQ(Complete("orca html -o n"), Words({"notes.txt"}));
  EXPECT_EQ(Complete("orca snapshot lo"), Words({"long"}));
  EXPECT_EQ(Complete("orca snapshot long n"), Words({"notes.txt"}));
}

TEST_F(Completion, OffersOptionsOfTheAgent) {
  EXPECT_EQ(Complete("orca run -o p,thr"), Words({"p,threshold="}));
  EXPECT_EQ(Complete("orca run -o p,locks="), Words({"all", "waits"}));
  EXPECT_EQ(Complete("orca run -o p,locks=", " \t\n"), Words({"p,locks=all", "p,locks=waits"}));
  EXPECT_EQ(Complete("orca run -o p,locks=all,dep"), Words({"all,depth="}));
  EXPECT_EQ(Complete("orca run -o p,events=monitor+la"), Words({"monitor+latch"}));
  EXPECT_EQ(Complete("orca run -o p,events=all-pa"), Words({"all-park"}));
  EXPECT_EQ(Complete("orca run -o p,owners="), Words({"all", "late"}));
  EXPECT_EQ(Complete("orca attach 123 p,overflow="), Words({"drop", "wait"}));
  EXPECT_EQ(Complete("orca set 123 t"), Words({"threshold=", "track=", "trigger="}));
  EXPECT_EQ(Complete("orca set 123 d"), Words());
}

TEST_F(Completion, OffersPidsOfJavaAndCommands) {
  fs::copy_file("/bin/sleep", folder_ + "/java");
  std::string pid = RunShell("'" + folder_ + "/java' 30 >/dev/null & echo $!");
  pid.pop_back();
  Words words;
  for (int i = 0; i < 500 && !Has(words, pid); i++) {  // until the process is called java
    words = Complete("orca stop ");
  }
  EXPECT_TRUE(Has(words, pid));
  EXPECT_TRUE(Has(Complete("orca attach "), pid));
  RunShell("kill " + pid);
  EXPECT_TRUE(Has(Complete("orca run -- ech"), "echo"));
  Make("app.jar");
  EXPECT_EQ(Complete("orca run -o p -- java -jar a"), Words({"app.jar"}));
}

TEST(ManPages, RenderWithoutWarnings) {
  if (!HasProgram("groff")) GTEST_SKIP() << "groff is not installed";
  for (const auto &page : fs::directory_iterator("tools/orca/doc/man")) {
    std::string out = RunShell("groff -man -Tutf8 -ww -z " + page.path().string() + " 2>&1");
    EXPECT_EQ(out, "") << page.path();
  }
}

TEST(ManPages, ExistForEachCommand) {
  for (const std::string &command : kCommands) {
    EXPECT_TRUE(fs::exists("tools/orca/doc/man/orca-" + command + ".1")) << command;
  }
}

TEST(ManPages, SayWhatTheHelpSays) {
  std::ifstream page("tools/orca/doc/man/orca-locks.1");
  std::string text((std::istreambuf_iterator<char>(page)), {});
  EXPECT_EQ(text.find(".TH ORCA\\-LOCKS 1 "), 0u) << text;
  for (const char *part :
       {"\n.SH SYNOPSIS\n.B orca locks [OPTION...] PREFIX\n", "\n.TP\n.B \\-\\-by\\-class\n",
        "\n.SH EXIT STATUS\n0 success, 1 a file is broken", "\norca\\-options(7)\n"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
  }
}

TEST(ManPages, OptionsOfTheAgent) {
  std::ifstream page("tools/orca/doc/man/orca-options.7");
  std::string text((std::istreambuf_iterator<char>(page)), {});
  EXPECT_NE(text.find("\n.TP\n.B overflow=wait\nwhat a thread does when its queue is full; takes "
                      "wait or drop\n"),
            std::string::npos)
      << text;
}

// --- commands that the pages show ----------------------------------------------------------------

std::string ReadPage(const std::string &path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_NE(text.str(), "") << path;
  return text.str();
}

// Returns the man page of a command; "" if there is none. It spells "-" as "\-".
std::string ReadManPage(const std::string &command) {
  std::string path = "tools/orca/doc/man/orca-" + command + ".1";
  return fs::exists(path) ? std::regex_replace(ReadPage(path), std::regex(R"(\\-)"), "-") : "";
}

// Returns the commands that a page shows, as lines of code and in `…`, each up to a program of
// others.
Words FindShownCommands(const std::string &page) {
  static const std::regex kShown(R"((^|\n)    orca ([^\n]*)|`orca ([^`]*)`)");
  static const std::regex kOtherProgram(R"( (--|\|) .*)");
  Words found;
  for (std::sregex_iterator m(page.begin(), page.end(), kShown), end; m != end; ++m) {
    found.push_back(std::regex_replace((*m)[2].str() + (*m)[3].str(), kOtherProgram, ""));
  }
  return found;
}

class ShownCommands : public testing::TestWithParam<const char *> {};

TEST_P(ShownCommands, AreThoseOfTheProgramWithItsOptions) {
  static const std::regex kOption(R"(--[a-z][a-z_-]*)");
  Words commands = FindShownCommands(ReadPage(GetParam()));
  EXPECT_GT(commands.size(), 10u);
  for (const std::string &line : commands) {
    std::string name = line.substr(0, line.find(' '));
    if (name == "help" || name == "COMMAND") continue;
    std::string man = ReadManPage(name);
    EXPECT_NE(man, "") << "there is no command in: orca " << line;
    for (std::sregex_iterator m(line.begin(), line.end(), kOption), end; m != end; ++m) {
      std::regex shown("\\.B (-[a-z], )?" + m->str() + "[^a-z_-]");
      EXPECT_TRUE(std::regex_search(man, shown)) << m->str() << " in: orca " << line;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Pages, ShownCommands, testing::Values("README.md", "docs/commands.md"));

TEST(CommandsPage, ShowsEachCommand) {
  std::set<std::string> shown;
  for (const std::string &line : FindShownCommands(ReadPage("docs/commands.md"))) {
    shown.insert(line.substr(0, line.find(' ')));
  }
  for (const auto &file : fs::directory_iterator("tools/orca/doc/man")) {
    std::string page = file.path().stem();  // "orca-hot"
    if (page == "orca" || page == "orca-options") continue;
    EXPECT_EQ(shown.count(page.substr(5)), 1u) << page;
  }
}

TEST(CommandsPage, ShowsEachFormatOfExport) {
  const std::string page = ReadPage("docs/commands.md");
  for (const std::string &format : kFormats) {
    EXPECT_NE(page.find("orca export --format=" + format + " "), std::string::npos) << format;
  }
}

TEST(Changelog, NamesEachCommandAndFormatOfExport) {
  const std::string page = ReadPage("CHANGELOG.md");
  for (const std::string &name : kCommands) {
    EXPECT_TRUE(std::regex_search(page, std::regex("`orca " + name + "[ `]"))) << name;
  }
  for (const std::string &name : kFormats) {
    EXPECT_NE(page.find("`" + name + "`"), std::string::npos) << name;
  }
}

}  // namespace
