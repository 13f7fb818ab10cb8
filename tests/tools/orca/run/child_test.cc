#include "tools/orca/run/child.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>

#include "gtest/gtest.h"

namespace {

struct child_end RunShell(std::string script) {
  std::string sh = "/bin/sh", option = "-c";
  char *argv[] = {sh.data(), option.data(), script.data(), nullptr};
  return child_run(argv);
}

TEST(Child, ReturnsTheExitStatus) {
  EXPECT_EQ(RunShell("exit 0").status, 0);
  EXPECT_EQ(RunShell("exit 7").status, 7);
  EXPECT_EQ(RunShell("exit 255").status, 255);
}

TEST(Child, ReturnsTheSignalThatEndedTheCommand) {
  EXPECT_EQ(RunShell("kill -9 $$").status, 128 + SIGKILL);
  EXPECT_EQ(RunShell("kill -TERM $$").status, 128 + SIGTERM);
}

TEST(Child, IsLookedUpInPath) {
  std::string name = "true";
  char *argv[] = {name.data(), nullptr};
  struct child_end end = child_run(argv);
  EXPECT_EQ(end.error, 0);
  EXPECT_EQ(end.status, 0);
  EXPECT_GT(end.pid, 0);
}

TEST(Child, ReturnsTheErrorIfItCannotBeStarted) {
  std::string name = "/no/such/command", folder = "/";
  char *argv[] = {name.data(), nullptr};
  EXPECT_EQ(child_run(argv).error, ENOENT);
  argv[0] = folder.data();
  EXPECT_EQ(child_run(argv).error, EACCES);
}

// Signals are sent to a whole process, so a forked process runs the child.
int RunAndSend(const char *script, int signal) {
  std::string ready = testing::TempDir() + "/child_ready_" + std::to_string(getpid());
  unlink(ready.c_str());
  pid_t runner = fork();
  if (runner == 0) {
    struct child_end end = RunShell("ready=" + ready + "; " + script);
    _exit(end.error != 0 ? 99 : end.status);
  }
  for (int i = 0; i < 1000 && access(ready.c_str(), F_OK) != 0; i++) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  kill(runner, signal);
  int status;
  waitpid(runner, &status, 0);
  unlink(ready.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(Child, GetsForwardedSignals) {
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2}) {
    std::string script =
        "trap 'exit 43' " + std::to_string(signal) + "; : >$ready; while :; do sleep 0.01; done";
    EXPECT_EQ(RunAndSend(script.c_str(), signal), 43) << signal;
  }
}

TEST(Child, DoesNotEndTheParentWithAForwardedSignal) {
  EXPECT_EQ(RunAndSend(": >$ready; exec sleep 100", SIGTERM), 128 + SIGTERM);
}

TEST(Child, ReturnsTheStatusEvenIfSigchldIsIgnored) {
  signal(SIGCHLD, SIG_IGN);
  EXPECT_EQ(RunShell("exit 5").status, 5);
  EXPECT_EQ(signal(SIGCHLD, SIG_DFL), SIG_IGN);  // child_run restored it
}

}  // namespace
