/* The attach protocol with real JVMs and an agent that echoes its commands. */
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <string>
#include <vector>

#include "tests/support/eventually.h"
#include "tests/support/jvm.h"
#include "tests/tools/orca/attach/fake_jvm.h"
#include "tools/orca/attach/control.h"

namespace {

/* A JVM that runs Nap, in its own folder. */
class NapJvm {
 public:
  explicit NapJvm(const Jdk &jdk, const std::vector<std::string> &flags = {},
                  const std::map<std::string, std::string> &variables = {})
      : folder_(MakeFolder()) {
    std::vector<std::string> command = JavaProgram(jdk);
    command.insert(command.end(), flags.begin(), flags.end());
    command.insert(command.end(), {"-cp", Runfile("tests/tools/orca/attach/nap.jar"), "Nap"});
    std::map<std::string, std::string> environment = JavaEnvironment();
    environment.insert(variables.begin(), variables.end());
    std::vector<char *> argv;
    for (std::string &word : command) argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_ = fork();
    if (pid_ != 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (const auto &[key, value] : environment) setenv(key.c_str(), value.c_str(), 1);
    if (chdir(folder_.c_str()) == 0 && freopen("out", "w", stdout) && freopen("err", "w", stderr)) {
      execv(argv[0], argv.data());
    }
    _exit(127);
  }

  ~NapJvm() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    unlink(("/tmp/.java_pid" + std::to_string(pid_)).c_str());
  }

  NapJvm(const NapJvm &) = delete;
  NapJvm &operator=(const NapJvm &) = delete;

  bool Naps() const {
    return Eventually([this] { return Out() == "napping\n"; });
  }

  pid_t Pid() const { return pid_; }
  std::string Out() const { return ReadFile(folder_ + "/out"); }
  std::string Err() const { return ReadFile(folder_ + "/err"); }
  bool HasAttachFile() const { return Exists("/tmp/.attach_pid" + std::to_string(pid_)); }

 private:
  std::string folder_;
  pid_t pid_;
};

/* Sends a command. Returns "RESULT TEXT", or the refusal. */
std::string SendCommand(
    pid_t pid, const char *command, const char *arguments = nullptr,
    const std::string &agent = Runfile("tests/tools/orca/attach/liborca-echo.so")) {
  struct bounded_wait w;
  struct target t;
  struct library library;
  struct control_answer answer = {};
  struct refusal why = {""};
  if (!bounded_wait_begin(&w, &default_wait_limits, &why)) return why.text;
  bool good = target_open(&t, pid, &w, &why);
  if (good) {
    good =
        (library_find_loaded(&t, &library) || library_provide(&t, agent.c_str(), &library, &why)) &&
        control_ask(&t, &w, &library, command, arguments, &answer, &why);
    target_close(&t);
  }
  bounded_wait_end(&w);
  std::string text(answer.text.data == nullptr ? "" : answer.text.data, answer.text.len);
  control_free(&answer);
  return good ? std::to_string(answer.result) + " " + text : why.text;
}

class RealJvm : public testing::TestWithParam<Jdk> {};

TEST_P(RealJvm, LoadsTheAgentOnlyOnce) {
  NapJvm nap(GetParam());
  ASSERT_TRUE(nap.Naps()) << nap.Err();
  EXPECT_EQ(SendCommand(nap.Pid(), "@start", "/a/b,depth=9"), "0 @start call 1,/a/b,depth=9\n");
  EXPECT_EQ(SendCommand(nap.Pid(), "@refuse"), "7 @refuse call 2\n");
  for (int call = 3; call <= 102; call++) {
    ASSERT_EQ(SendCommand(nap.Pid(), "@status"), "0 @status call " + std::to_string(call) + "\n");
  }
  EXPECT_EQ(nap.Out(), "napping\n"); /* SIGQUIT did not print stacks */
  EXPECT_FALSE(nap.HasAttachFile());
}

// The JVM finds a loaded library by its path, without the file.
TEST_P(RealJvm, NeedsNoFileOfALoadedAgent) {
  NapJvm nap(GetParam());
  ASSERT_TRUE(nap.Naps()) << nap.Err();
  std::string copy = MakeFolder() + "/liborca-1.so";
  WriteFile(copy, ReadFile(Runfile("tests/tools/orca/attach/liborca-echo.so")));
  chmod(copy.c_str(), 0755);
  EXPECT_EQ(SendCommand(nap.Pid(), "@start", "x", copy), "0 @start call 1,x\n");
  ASSERT_EQ(unlink(copy.c_str()), 0);
  EXPECT_EQ(SendCommand(nap.Pid(), "@status"), "0 @status call 2\n");
  EXPECT_EQ(SendCommand(nap.Pid(), "@stop"), "0 @stop call 3\n");
}

TEST_P(RealJvm, AcceptsACommandWhileItStarts) {
  for (int i = 0; i < 20; i++) {
    NapJvm nap(GetParam());
    usleep(static_cast<useconds_t>(i) * 5000);
    ASSERT_EQ(SendCommand(nap.Pid(), "@start", "x"), "0 @start call 1,x\n")
        << "after ms: " << i * 5;
    ASSERT_TRUE(nap.Naps());
    EXPECT_EQ(nap.Out(), "napping\n");
  }
}

TEST_P(RealJvm, RefusesIfDynamicLoadingIsDisabled) {
  if (GetParam().version < 9) GTEST_SKIP() << "this JDK does not have the flag";
  NapJvm nap(GetParam(), {"-XX:-EnableDynamicAgentLoading"});
  std::string why = SendCommand(nap.Pid(), "@start");
  EXPECT_NE(why.find("start it with -XX:+EnableDynamicAgentLoading"), std::string::npos) << why;
}

TEST_P(RealJvm, RefusesAFileThatIsNoLibrary) {
  NapJvm nap(GetParam());
  std::string bad = MakeFolder() + "/liborca.so";
  WriteFile(bad, "no library");
  std::string why = SendCommand(nap.Pid(), "@start", "x", bad);
  EXPECT_EQ(why.find("the JVM did not load the agent: "), 0u) << why;
  EXPECT_NE(why.find("liborca.so was not loaded."), std::string::npos) << why;
}

TEST_P(RealJvm, RefusesWithDisableAttachMechanism) {
  NapJvm nap(GetParam(), {"-XX:+DisableAttachMechanism"});
  ASSERT_TRUE(nap.Naps());
  std::string process = "process " + std::to_string(nap.Pid());
  EXPECT_EQ(
      SendCommand(nap.Pid(), "@start"),
      process + " was started with -XX:+DisableAttachMechanism; only -agentpath can record it");
  EXPECT_EQ(nap.Out(), "napping\n");
}

TEST_P(RealJvm, RefusesWithDisableAttachMechanismInAVariable) {
  NapJvm nap(GetParam(), {}, {{"JAVA_TOOL_OPTIONS", "-Xmx64m -XX:+DisableAttachMechanism"}});
  ASSERT_TRUE(nap.Naps());
  std::string process = "process " + std::to_string(nap.Pid());
  EXPECT_EQ(SendCommand(nap.Pid(), "@start"),
            process +
                " was started with -XX:+DisableAttachMechanism in JAVA_TOOL_OPTIONS; only "
                "-agentpath can record it");
  EXPECT_EQ(nap.Out(), "napping\n"); /* no thread dump */
}

TEST_P(RealJvm, RefusesWithXrs) {
  NapJvm nap(GetParam(), {"-Xrs"});
  ASSERT_TRUE(nap.Naps());
  std::string process = "process " + std::to_string(nap.Pid());
  EXPECT_EQ(SendCommand(nap.Pid(), "@start"),
            process + " cannot be attached to: its JVM was started with -Xrs");
  EXPECT_EQ(kill(nap.Pid(), 0), 0);
}

INSTANTIATE_TEST_SUITE_P(Jdks, RealJvm, testing::ValuesIn(FindJdks()),
                         [](const auto &jdk) { return jdk.param.name; });

}  // namespace
