/* Tests `orca run` with a command that starts several JVMs (tests/workloads/family). */
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/e2e/session.h"
#include "tests/support/eventually.h"
#include "tests/support/text.h"

namespace {

namespace fs = std::filesystem;

long CountOf(const std::string &text, const std::string &part) {
  long n = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) n++;
  return n;
}

class FamilyTest : public testing::TestWithParam<Jdk> {
 protected:
  static std::vector<std::string> Java(const std::vector<std::string> &program) {
    return JavaCommand(GetParam(), {}, program);
  }
  static std::string JavaLine(const std::vector<std::string> &program) {
    std::string line;
    for (const std::string &word : Java(program)) line += "'" + word + "' ";
    return line;
  }
  std::string Prefix(const std::string &name = "out") const { return scratch_.dir() + "/" + name; }

  /* This test runs in a test of Bazel, where `orca run` prints other paths, and more of them. */
  static std::map<std::string, std::string> EnvironmentOfAUser() {
    std::map<std::string, std::string> environment = JavaEnvironment();
    environment["TEST_UNDECLARED_OUTPUTS_DIR"] = "";
    return environment;
  }

  /* Runs `orca run -o OPTIONS -- COMMAND`. */
  Result Run(const std::string &options, const std::vector<std::string> &command) {
    std::vector<std::string> line = {Runfile("tools/orca/orca"), "run", "-o", options, "--"};
    line.insert(line.end(), command.begin(), command.end());
    std::string own = scratch_.dir() + "/process" + std::to_string(++num_runs_);
    fs::create_directory(own);
    return RunProcess(line, EnvironmentOfAUser(), own, 120);
  }
  Result RunShell(const std::string &options, const std::string &line) {
    return Run(options, {"sh", "-c", line});
  }

  /* Returns the recordings of the folder, in alphabetical order, without those of `before`. */
  std::vector<std::string> FindPrefixes(const std::vector<std::string> &before = {}) const {
    std::set<std::string> found;
    for (const auto &entry : fs::directory_iterator(scratch_.dir())) {
      std::string stem = entry.path().stem();
      bool is_set = fs::path(stem).has_extension();
      if (entry.path().extension() == ".info" && !is_set) found.insert(Prefix(stem));
    }
    for (const std::string &old : before) found.erase(old);
    return {found.begin(), found.end()};
  }

  /* Expects that each JVM has a recording of its own without faults. Returns the last words of
     their commands. */
  std::multiset<std::string> ExpectRecordings(const std::vector<std::string> &prefixes) const {
    std::set<std::string> pids;
    std::multiset<std::string> names;
    for (const std::string &prefix : prefixes) {
      SCOPED_TRACE(prefix);
      Dump dump = ReadDump(prefix);
      ExpectNoFaults(dump, prefix);
      fs::create_directory(prefix + "-check");
      ExpectAccepted(prefix, prefix + "-check");
      EXPECT_EQ(dump.info["end.reason"], "exit");
      const std::string &pid = dump.info["pid"];
      EXPECT_TRUE(pids.insert(pid).second) << pid;
      if (prefix != Prefix()) {
        EXPECT_EQ(prefix, Prefix() + "-" + pid);
      }
      std::string command = dump.info["command"];
      size_t at = command.find("family.Parent");
      EXPECT_NE(at, std::string::npos) << command;
      names.insert(at == std::string::npos ? "" : command.substr(at));
    }
    return names;
  }

  void ExpectFamily(const Result &result) const {
    EXPECT_EQ(result.status, 0) << result.out << result.err;
    EXPECT_TRUE(Has(result.out, "0 children failed\n")) << result.out << result.err;
    EXPECT_EQ(FindOrcaLines(result.err), std::vector<std::string>());
    EXPECT_EQ(
        ExpectRecordings(FindPrefixes()),
        (std::multiset<std::string>{"family.Parent", "family.Parent child hard 1500",
                                    "family.Parent child easy 50", "family.Parent child late 50"}));
    EXPECT_EQ(ReadFile(Prefix() + ".info").find(" child "), std::string::npos);
  }

  /* Runs a command that the first screen prints, as a user does. */
  void ExpectReportOfAnotherJvm(const Result &result) const {
    size_t others = result.out.find("\nThe other JVMs");
    ASSERT_NE(others, std::string::npos) << result.out;
    std::string first = result.out.substr(result.out.find("  ", others));
    std::string command = first.substr(0, first.find("   ", 2)) + " | head -1";
    fs::create_directory(Prefix("shell"));
    Result report = RunProcess({"sh", "-c", command}, {}, Prefix("shell"), 60);
    EXPECT_TRUE(Has(report.out, "family.Parent")) << command << "\n" << report.out << report.err;
  }

  Scratch scratch_;
  int num_runs_ = 0;
};

/* Expects at most 30 lines about the JVM that used the most CPU time. */
void ExpectFirstScreen(const Result &result, long num_jvms) {
  size_t at = result.out.find(std::to_string(num_jvms) + " JVMs were recorded. ");
  ASSERT_NE(at, std::string::npos) << result.out;
  std::string screen = result.out.substr(at);
  EXPECT_LE(std::count(screen.begin(), screen.end(), '\n'), 30) << screen;
  size_t command = screen.find("Command "), end = screen.find('\n', command);
  EXPECT_TRUE(Has(screen.substr(command, end - command), " child hard 1500")) << screen;
  EXPECT_TRUE(Has(screen, "\nIn short\n* ")) << screen;
  size_t others = screen.find("\nThe other JVMs, by CPU time\n");
  ASSERT_NE(others, std::string::npos) << screen;
  EXPECT_EQ(CountOf(screen.substr(others), " report "), num_jvms - 1) << screen;
}

TEST_P(FamilyTest, RecordsEachJvmOfAScript) {
  Result result = RunShell(Prefix(), JavaLine({"family.Parent"}));
  ExpectFamily(result);
  ExpectFirstScreen(result, 4);
  EXPECT_EQ(CountOf(result.err, "Picked up JAVA_TOOL_OPTIONS"), 4) << result.err;
}

TEST_P(FamilyTest, RecordsTheChildrenOfAJvmThatIsTheCommand) {
  Result result = Run(Prefix(), Java({"family.Parent"}));
  ExpectFamily(result);
  ExpectFirstScreen(result, 4);
  EXPECT_EQ(CountOf(result.err, "Picked up JAVA_TOOL_OPTIONS"), 3) << result.err;
  ExpectReportOfAnotherJvm(result);
}

TEST_P(FamilyTest, KeepsTheRecordingsOfJvmsOneAfterAnother) {
  std::string one = JavaLine({"family.Parent", "child", "one", "50"}),
              two = JavaLine({"family.Parent", "child", "two", "100"});
  Result result = RunShell(Prefix(), one + "&& " + two);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(
      ExpectRecordings(FindPrefixes()),
      (std::multiset<std::string>{"family.Parent child one 50", "family.Parent child two 100"}));
  EXPECT_TRUE(Has(ReadFile(Prefix() + ".info"), " child one 50\n"));
}

TEST_P(FamilyTest, OverwritesTheRecordingOfAnEarlierRun) {
  for (std::string name : {"one", "two"}) {
    Result result = Run(Prefix(), Java({"family.Parent", "child", name, "50"}));
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(ExpectRecordings(FindPrefixes()).count("family.Parent child " + name + " 50"), 1u);
    EXPECT_EQ(FindPrefixes().size(), 1u);
    EXPECT_FALSE(Has(result.out, "JVMs were recorded")) << result.out;
    fs::remove_all(Prefix() + "-check");
  }
}

TEST_P(FamilyTest, TakesNoPrefixOfAJvmThatSwitchesFiles) {
  Result result = RunShell(Prefix() + ",maxsize=64KB,keep=2", JavaLine({"family.Parent"}));
  ExpectFamily(result);
  EXPECT_TRUE(Has(ReadFile(Prefix() + ".info"), "set.number="));
}

TEST_P(FamilyTest, StartsLaterInEachJvm) {
  Result result = RunShell(Prefix() + ",start=10ms",
                           "FAMILY_FOLDER='" + scratch_.dir() + "' " + JavaLine({"family.Parent"}));
  ExpectFamily(result);
}

TEST_P(FamilyTest, KeepsAJvmRunningThatCannotWriteItsFiles) {
  fs::create_directory(Prefix("folder"));
  std::string java = JavaLine({"family.Parent", "child", "one", "50"});
  Result result =
      RunShell(Prefix("folder/out"), java + "&& mv " + Prefix("folder") + " " + Prefix("moved") +
                                         " && " + java + "; status=$?; mv " + Prefix("moved") +
                                         " " + Prefix("folder") + "; exit $status");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(CountOf(result.out, "child one is done\n"), 2) << result.out;
  std::vector<std::string> lines = FindOrcaLines(result.err);
  ASSERT_EQ(lines.size(), 1u) << result.err;
  EXPECT_TRUE(Has(lines[0], "No such file or directory")) << lines[0];
  EXPECT_TRUE(Has(lines[0], "this JVM is not recorded")) << lines[0];
}

/* The child gets the agent twice: from `orca run`, and on its command line. The JVM calls the
   agents of JAVA_TOOL_OPTIONS first. */
TEST_P(FamilyTest, RecordsAJvmOnceThatGetsTheAgentTwice) {
  Result result = RunShell(
      Prefix(), "'" + GetParam().home + "/bin/java' " + AgentFlag(Prefix("own")) + " -cp " +
                    Runfile("tests/workloads/workloads.jar") + " family.Parent child one 50");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(
      FindOrcaLines(result.err),
      std::vector<std::string>{"orca: the agent is given twice; the first one counts, and \"" +
                               Prefix("own") + "\" is not used"});
  EXPECT_EQ(FindPrefixes(), std::vector<std::string>{Prefix()});
  EXPECT_EQ(ExpectRecordings(FindPrefixes()).size(), 1u);
}

/* As in a test of Bazel with orca_profiled and --run_under. Another copy of the agent reads the
   same variables. */
TEST_P(FamilyTest, LeavesAJvmToItsOwnAgentIfTheUserChoseNoOptions) {
  std::string copy = Prefix("copy/liborca.so"), outputs = scratch_.dir();
  fs::create_directory(Prefix("copy"));
  fs::copy_file(Runfile("agent/liborca.so"), copy);
  for (std::string agent : {Runfile("agent/liborca.so"), copy}) {
    std::string java = "'" + GetParam().home + "/bin/java' -cp " +
                       Runfile("tests/workloads/workloads.jar") + " '-agentpath:" + agent +
                       "=own,depth=9' family.Parent child one 50";
    Result result = RunProcess(
        {Runfile("tools/orca/orca"), "run", "--", "sh", "-c", java},
        {{"TEST_TARGET", "//app:test"}, {"TEST_UNDECLARED_OUTPUTS_DIR", outputs}}, outputs, 60);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(FindOrcaLines(result.err), std::vector<std::string>{});
    EXPECT_EQ(FindPrefixes(), std::vector<std::string>{Prefix("own")});
    EXPECT_TRUE(Has(ReadFile(Prefix("own.info")), ",depth=9,"));
    EXPECT_TRUE(Has(ReadFile(Prefix("report.txt")), "family.Parent child one 50\n"));
    EXPECT_TRUE(Has(ReadFile(Prefix("report.html")), "<!doctype html>"));
    fs::remove(Prefix("own.info"));
    fs::remove(Prefix("report.txt"));
  }
}

TEST_P(FamilyTest, TakesTheFirstAgentOfACommandLine) {
  std::vector<std::string> command =
      JavaCommand(GetParam(), {AgentFlag(Prefix()), AgentFlag(Prefix("second"))},
                  {"family.Parent", "child", "one", "50"});
  fs::create_directory(Prefix("process"));
  Result result = RunProcess(command, JavaEnvironment(), Prefix("process"), 60);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(FindOrcaLines(result.err).size(), 1u) << result.err;
  EXPECT_EQ(FindPrefixes(), std::vector<std::string>{Prefix()});
  EXPECT_EQ(ExpectRecordings({Prefix()}).size(), 1u);
}

/* A copy at another path has static data of its own. `orca status` may reach either. */
TEST_P(FamilyTest, RecordsAJvmOnceThatGetsACopyOfTheAgent) {
  std::string copy = Prefix("copy/liborca.so"), own = Prefix("process");
  fs::create_directory(Prefix("copy"));
  fs::create_directory(own);
  fs::copy_file(Runfile("agent/liborca.so"), copy);
  std::vector<std::string> command = JavaCommand(
      GetParam(), {AgentFlag(Prefix()), "-agentpath:" + copy + "=" + Prefix("second") + ",depth=9"},
      {"family.Parent", "child", "one", "50", Prefix("over")});
  Process java(command, JavaEnvironment(), own);
  EXPECT_TRUE(Eventually([&] { return Has(ReadFile(Prefix() + ".orca"), ",main"); }));
  fs::create_directory(Prefix("status"));
  Result status = RunProcess({Runfile("tools/orca/orca"), "status", std::to_string(java.pid())}, {},
                             Prefix("status"), 60);
  EXPECT_TRUE(Has(status.out, "recording into " + Prefix() + ".*")) << status.out << status.err;
  std::ofstream(Prefix("over")).put('\n');
  Result result = java.Wait(60);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(FindOrcaLines(result.err),
            std::vector<std::string>{"orca: the agent is given twice; the first one, " +
                                     Runfile("agent/liborca.so") + ", counts, and \"" +
                                     Prefix("second") + ",depth=9\" is not used"});
  EXPECT_EQ(FindPrefixes(), std::vector<std::string>{Prefix()});
  EXPECT_EQ(ExpectRecordings({Prefix()}).size(), 1u);
}

TEST_P(FamilyTest, EndsAJvmWithADeadlockAndShowsIt) {
  std::vector<std::string> line = {Runfile("tools/orca/orca"),
                                   "run",
                                   "-o",
                                   Prefix(),
                                   "--quiet",
                                   "--stop-at",
                                   "deadlock",
                                   "--deadline",
                                   "100s",
                                   "--report",
                                   Prefix("report.txt"),
                                   "--"};
  std::vector<std::string> java = Java({"ending.Endings", "deadlock"});
  line.insert(line.end(), java.begin(), java.end());
  fs::create_directory(Prefix("process"));
  Result result = RunProcess(line, EnvironmentOfAUser(), Prefix("process"), 120);
  EXPECT_EQ(result.status, 4) << result.out << result.err;
  EXPECT_EQ(FindOrcaLines(result.err),
            std::vector<std::string>{"orca: run: the command has a deadlock and was ended"});
  EXPECT_TRUE(Has(result.out, "* DEADLOCK: ")) << result.out;
  EXPECT_TRUE(Has(ReadFile(Prefix("report.txt")), "ended by signal TERM\n"));
  EXPECT_EQ(ReadDump(Prefix()).info["end.reason"], "signal TERM");
}

/* Without `orca run`, a prefix means one recording. */
TEST_P(FamilyTest, RefusesTheSecondJvmWithoutOrcaRun) {
  std::vector<std::string> command = JavaCommand(
      GetParam(), {AgentFlag(Prefix())}, {"family.Parent", "child", "one", "50", Prefix("over")});
  std::string own = Prefix("first"), other = Prefix("second");
  fs::create_directory(own);
  fs::create_directory(other);
  Process first(command, JavaEnvironment(), own);
  EXPECT_TRUE(Eventually([&] { return fs::exists(Prefix() + ".info"); }));
  Result second = RunProcess(command, JavaEnvironment(), other, 60);
  EXPECT_EQ(second.status, 1);
  EXPECT_TRUE(Has(second.err, "another process is writing " + Prefix() + ".info")) << second.err;
  std::ofstream(Prefix("over")).put('\n');
  EXPECT_EQ(first.Wait(60).status, 0);
  EXPECT_EQ(ExpectRecordings({Prefix()}).size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Jvm, FamilyTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
