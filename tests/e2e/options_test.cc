/* Tests the effect of the agent's options on the dump of a real program. */
#include <algorithm>
#include <filesystem>
#include <string>

#include "gtest/gtest.h"
#include "tests/e2e/compare.h"
#include "tests/e2e/session.h"
#include "tests/support/text.h"

namespace {

class OptionsTest : public testing::TestWithParam<Jdk> {};

TEST_P(OptionsTest, RecordsAllEventsOfTheSelectedGroupsOnly) {
  Session session(GetParam(), Program({"counted.Waits"}, {}, ",events=notify+join"));
  session.Wait();
  ASSERT_TRUE(session.story().complete) << session.result().err;
  std::map<enum event_kind, int> wanted;
  for (const auto &[kind, count] : session.story().counts) {
    enum event_group group = event_infos[kind].group;
    wanted[kind] = group == GROUP_NOTIFY || group == GROUP_JOIN ? count : 0;
  }
  std::map<enum event_kind, int> counts;
  for (const Event &e : session.dump().events) {
    if (session.story().threads.count(e.thread) != 0) counts[e.kind]++;
    EXPECT_TRUE(wanted[e.kind] != 0) << event_infos[e.kind].name;
  }
  for (const auto &[kind, count] : wanted) EXPECT_EQ(counts[kind], count) << kind;
  session.ExpectQuiet();
  session.ExpectChecked();
}

constexpr size_t kContentions = 31; /* contended acquisitions in counted.Monitors */

/* Runs a workload whose threads block on monitors, and expects that the dump has the owner of each
   contention. ExpectSame checks that the owners are correct. */
void ExpectOwnersKnown(const Jdk &jdk, const std::string &option) {
  Session session(jdk, Program({"counted.Monitors"}, {"-Drecorded=true"}, ",owners=" + option));
  session.Wait();
  ASSERT_TRUE(session.story().complete) << session.result().err;
  ExpectSame(session.story(), session.dump());
  std::set<std::pair<uint32_t, uint32_t>> known; /* threads and locks */
  for (const Event &e : session.dump().events) {
    bool is_own = session.story().locks.count(e.object) != 0;
    bool has_owner = e.kind == EVENT_MONITOR_CONTENDED_ENTER || e.kind == EVENT_MONITOR_OWNER;
    if (is_own && has_owner && e.owner != 0) known.insert({e.thread, e.object});
  }
  EXPECT_EQ(known.size(), kContentions);
  session.ExpectQuiet();
  session.ExpectChecked();
}

/* A deeper stack has two frames, followed by a frame of method 0, the mark of a cut. */
TEST_P(OptionsTest, CutsStacksAtDepth) {
  Session session(GetParam(), Program({"counted.Waits"}, {}, ",depth=2"));
  session.Wait();
  ASSERT_TRUE(session.story().complete) << session.result().err;
  int cut = 0;
  for (const Event &e : session.dump().events) {
    if (e.stack.empty() || e.stack == "0") continue;
    bool is_cut = e.stack.substr(0, 2) == "3;";
    EXPECT_EQ(is_cut, e.stack.find(";00000000;00000000") != std::string::npos) << e.stack;
    EXPECT_LE(e.stack[0], '3');
    cut += is_cut;
  }
  EXPECT_GT(cut, 0);
  session.ExpectQuiet();
  session.ExpectChecked();
}

TEST_P(OptionsTest, RecordsAllOwners) { ExpectOwnersKnown(GetParam(), "all"); }

TEST_P(OptionsTest, RecordsLateOwners) { ExpectOwnersKnown(GetParam(), "late"); }

TEST_P(OptionsTest, RecordsNoSamples) {
  Session session(GetParam(), Program({"ending.Endings", "return"}, {}, ",interval=0"));
  session.Wait();
  ASSERT_TRUE(session.story().complete) << session.result().err;
  ExpectSame(session.story(), session.dump());
  EXPECT_EQ(session.dump().samples, 0u);
  session.ExpectQuiet();
  session.ExpectChecked();
}

/* The command has "hunter2" in each form that is known as a secret. */
const Program kSecretive({"counted.Waits"},
                         {"-Dshop.password=hunter2", "-Ddb.url=jdbc:shop://user:hunter2@host/db",
                          "-Dshop.url=http://host/?a=b&token=hunter2"});

std::string ReadAllFiles(const std::string &prefix) {
  std::string all;
  for (const auto &file :
       std::filesystem::directory_iterator(std::filesystem::path(prefix).parent_path())) {
    if (file.path().string().rfind(prefix + ".", 0) == 0) all += ReadFile(file.path());
  }
  return all;
}

std::string FindCommandRow(const Session &session) {
  std::string report = session.RunOrca("report").out;
  size_t at = report.find("Command   ");
  return at == std::string::npos ? report : report.substr(at, report.find('\n', at) - at);
}

TEST_P(OptionsTest, TheCommandLineIsRecorded) {
  Session session(GetParam(), kSecretive);
  session.Wait();
  Dump dump = session.dump();
  for (const std::string &flag : kSecretive.flags) EXPECT_TRUE(Has(dump.info["command"], flag));
  EXPECT_TRUE(Has(dump.info["command"], " counted.Waits")) << dump.info["command"];
  session.ExpectQuiet();
  session.ExpectChecked();
}

TEST_P(OptionsTest, NoFileHasASecretOfAMaskedCommandLine) {
  for (std::string option :
       {",command=masked", ",profile=service", ",command=masked,maxsize=64KB"}) {
    SCOPED_TRACE(option);
    Program program = kSecretive;
    program.options = option;
    Session session(GetParam(), program);
    session.Wait();
    std::string files = ReadAllFiles(session.prefix());
    EXPECT_TRUE(Has(files, " -Dshop.password=*** "));
    EXPECT_TRUE(Has(files, " -Ddb.url=jdbc:shop://user:***@host/db "));
    EXPECT_TRUE(Has(files, " -Dshop.url=http://host/?a=b&token=*** "));
    EXPECT_TRUE(Has(files, " counted.Waits\n"));
    EXPECT_FALSE(Has(files, "hunter2"));
    EXPECT_TRUE(Has(FindCommandRow(session), "counted.Waits")) << FindCommandRow(session);
    session.ExpectQuiet();
    session.ExpectChecked();
  }
}

TEST_P(OptionsTest, NoFileHasACommandLineThatIsOff) {
  Program program = kSecretive;
  program.options = ",command=off";
  Session session(GetParam(), program);
  session.Wait();
  std::string files = ReadAllFiles(session.prefix());
  EXPECT_TRUE(Has(files, "\ncommand=\n"));
  EXPECT_FALSE(Has(files, "hunter2"));
  EXPECT_FALSE(Has(files, "shop.password"));
  EXPECT_EQ(FindCommandRow(session), "Command   not recorded (command=off)");
  session.ExpectQuiet();
  session.ExpectChecked();
}

INSTANTIATE_TEST_SUITE_P(Jvm, OptionsTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

/* --- the prefix of the files ------------------------------------------------------ */

class PrefixTest : public testing::TestWithParam<Jdk> {
 protected:
  /* Runs a program as if in the test of Bazel `target`, "" for none, and returns the name of its
     .orca file in the scratch folder, which `variable` names, without digits. */
  std::string FindFileName(const std::string &options, const std::string &target = "",
                           const std::string &variable = "TEST_UNDECLARED_OUTPUTS_DIR") {
    auto environment = JavaEnvironment();
    environment["TEST_TARGET"] = target;
    environment["TEST_UNDECLARED_OUTPUTS_DIR"] = "";
    environment[variable] = scratch_.dir();
    Result result =
        RunProcess(JavaCommand(GetParam(), {AgentFlag(options)}, {"ending.Endings", "return"}),
                   environment, scratch_.dir(), 60);
    EXPECT_EQ(result.status, 0) << result.err;
    std::string names;
    for (const auto &file : std::filesystem::directory_iterator(scratch_.dir())) {
      if (file.path().extension() == ".orca") names += file.path().stem();
    }
    names.erase(std::remove_if(names.begin(), names.end(), isdigit), names.end());
    return names;
  }

  Scratch scratch_;
};

TEST_P(PrefixTest, DefaultsToThePid) { EXPECT_EQ(FindFileName(""), "orca-"); }

TEST_P(PrefixTest, DefaultsToThePidAndTheTimeInATestOfBazel) {
  EXPECT_EQ(FindFileName("", "//app:cart_test"), "orca--TZ");
  for (const auto &file : std::filesystem::directory_iterator(scratch_.dir())) {
    if (file.path().extension() != ".info") continue;
    EXPECT_NE(ReadFile(file.path()).find("\ntest.target=//app:cart_test\n"), std::string::npos);
  }
}

TEST_P(PrefixTest, IsRelativeToTheFolderOfTheUserUnderBazelRun) {
  EXPECT_EQ(FindFileName("mine", "", "BUILD_WORKING_DIRECTORY"), "mine");
}

TEST_P(PrefixTest, IsRelativeToTheOutputsOfATest) { EXPECT_EQ(FindFileName("mine"), "mine"); }

TEST_P(PrefixTest, ReplacesThePlaceholderOfThePid) { EXPECT_EQ(FindFileName("a%p-b"), "a-b"); }

INSTANTIATE_TEST_SUITE_P(Jvm, PrefixTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
