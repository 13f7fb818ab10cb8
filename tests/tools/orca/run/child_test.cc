#include "tools/orca/run/child.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/eventually.h"
#include "tests/support/virtual_time.h"

namespace {

struct child_end RunShell(std::string script) {
  std::string sh = "/bin/sh", option = "-c";
  char *argv[] = {sh.data(), option.data(), script.data(), nullptr};
  struct child_order order = {};
  order.argv = argv;
  return child_run(&order);
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
  struct child_order order = {};
  order.argv = argv;
  struct child_end end = child_run(&order);
  EXPECT_EQ(end.error, 0);
  EXPECT_EQ(end.status, 0);
  EXPECT_GT(end.pid, 0);
}

TEST(Child, ReturnsTheErrorIfItCannotBeStarted) {
  std::string name = "/no/such/command", folder = "/";
  char *argv[] = {name.data(), nullptr};
  struct child_order order = {};
  order.argv = argv;
  EXPECT_EQ(child_run(&order).error, ENOENT);
  argv[0] = folder.data();
  EXPECT_EQ(child_run(&order).error, EACCES);
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
  EXPECT_TRUE(Eventually([&] { return access(ready.c_str(), F_OK) == 0; }));
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

struct child_end RunOrder(std::string script, struct child_order order) {
  std::string sh = "/bin/sh", option = "-c";
  char *argv[] = {sh.data(), option.data(), script.data(), nullptr};
  order.argv = argv;
  return child_run(&order);
}

TEST(Child, RunsInAFolder) {
  struct child_order order = {};
  order.folder = "/usr";
  EXPECT_EQ(RunOrder("test \"$(pwd)\" = /usr", order).status, 0);
  order.folder = "/no/such/folder";
  EXPECT_EQ(RunOrder("true", order).error, ENOENT);
}

// A file that the command makes when it is ready for a signal.
class Ready {
 public:
  explicit Ready(const std::string &name)
      : path(testing::TempDir() + "/" + name + std::to_string(getpid())) {}
  ~Ready() { unlink(path.c_str()); }
  bool IsThere() const { return access(path.c_str(), F_OK) == 0; }

  const std::string path;
};

// Time passes when the command is ready.
TEST(Child, GetsSigtermAtTheDeadline) {
  VirtualTime time;
  Ready ready("deadline_");
  struct child_order order = {};
  order.deadline_ns = 300 * 1000000;
  auto pass = [&] {
    if (ready.IsThere()) time.Pass(order.deadline_ns);
  };
  order.has_to_end = [](void *arg) {
    (*static_cast<decltype(pass) *>(arg))();
    return false;
  };
  order.arg = &pass;
  struct child_end end =
      RunOrder("trap 'exit 43' TERM; : >" + ready.path + "; while :; do sleep 0.01; done", order);
  EXPECT_EQ(end.cause, CHILD_MISSED_DEADLINE);
  EXPECT_EQ(end.status, 43);
  order.has_to_end = nullptr;
  end = RunOrder("exit 7", order);
  EXPECT_EQ(end.cause, CHILD_ENDED_ITSELF);
  EXPECT_EQ(end.status, 7);
}

TEST(Child, GetsSigkillIfItIgnoresSigterm) {
  Ready ready("ignores_");
  struct child_order order = {};
  order.has_to_end = [](void *arg) { return static_cast<Ready *>(arg)->IsThere(); };
  order.arg = &ready;
  auto start = std::chrono::steady_clock::now();
  struct child_end end =
      RunOrder("trap '' TERM; : >" + ready.path + "; while :; do sleep 0.1; done", order);
  EXPECT_EQ(end.status, 128 + SIGKILL);
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::nanoseconds(CHILD_GRACE_NS));
}

TEST(Child, EndsWhenItHasTo) {
  struct child_order order = {};
  int looks = 0;
  order.has_to_end = [](void *arg) { return ++*static_cast<int *>(arg) == 3; };
  order.arg = &looks;
  struct child_end end = RunOrder("exec sleep 100", order);
  EXPECT_EQ(end.cause, CHILD_HAD_TO_END);
  EXPECT_EQ(end.status, 128 + SIGTERM);
  EXPECT_EQ(looks, 3) << "it is not asked again";
}

// Only the command is ended: another tool may have started what it runs in the background.
TEST(Child, LeavesTheChildrenOfTheCommandAlone) {
  std::string file = testing::TempDir() + "/left_" + std::to_string(getpid());
  Ready ready("leaves_");
  struct child_order order = {};
  order.has_to_end = [](void *arg) { return static_cast<Ready *>(arg)->IsThere(); };
  order.arg = &ready;
  RunOrder("(: >" + ready.path + "; sleep 1; : >" + file + ") & exec sleep 100", order);
  EXPECT_TRUE(Eventually([&] { return unlink(file.c_str()) == 0; }));
}

}  // namespace
