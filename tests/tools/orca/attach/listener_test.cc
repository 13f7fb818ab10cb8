#include "tools/orca/attach/listener.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <functional>
#include <string>

#include "tests/support/eventually.h"
#include "tests/tools/orca/attach/fake_jvm.h"

namespace {

int num_sent;                        /* signals to the JVM */
std::function<void()> sleep_instead; /* in place of the pauses of the listener */

extern "C" {

bool __real_bounded_wait_sleep(const struct bounded_wait *w, uint64_t ms);
bool __wrap_bounded_wait_sleep(const struct bounded_wait *w, uint64_t ms);
bool __real_target_signal(const struct target *t, int signal);
bool __wrap_target_signal(const struct target *t, int signal);

bool __wrap_bounded_wait_sleep(const struct bounded_wait *w, uint64_t ms) {
  if (sleep_instead == nullptr) return __real_bounded_wait_sleep(w, ms);
  sleep_instead();
  return true;
}

bool __wrap_target_signal(const struct target *t, int signal) {
  num_sent++;
  return __real_target_signal(t, signal);
}

}  // extern "C"

/* Returns "connected", or the refusal. */
std::string Connect(const FakeJvm &jvm, const struct wait_limits &limits = kLongLimits) {
  OpenTarget target(jvm.Pid(), limits);
  struct user before;
  int fd = -1;
  if (!target.good || !user_become(target.t.user, &before)) return target.why.text;
  bool good = listener_connect(&target.t, &target.w, &fd, &target.why);
  user_return(before);
  if (fd >= 0) close(fd);
  return good ? "connected" : target.why.text;
}

std::string MakeRefusal(const FakeJvm &jvm, const std::string &fault) {
  std::string n = std::to_string(jvm.Pid());
  return "/tmp/.java_pid" + n + " of process " + n + " " + fault;
}

void BindSocket(const std::string &path, int *out_fd) {
  sockaddr_un at = {};
  at.sun_family = AF_UNIX;
  path.copy(at.sun_path, sizeof at.sun_path - 1);
  *out_fd = socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(bind(*out_fd, reinterpret_cast<sockaddr *>(&at), sizeof at), 0);
}

TEST(Listener, SendsSigquitOnlyOnce) {
  FakeJvm jvm;
  EXPECT_EQ(Connect(jvm), "connected");
  EXPECT_FALSE(Exists(jvm.AttachFile()));
  EXPECT_EQ(Connect(jvm), "connected");
  EXPECT_EQ(jvm.NumQuits(), 1);
}

// A sleep lasts until the JVM has handled the signals that it got, also on a busy machine. The
// pauses add up to the time limit as if they had been as long as asked for.
class ListenerInVirtualTime : public testing::Test {
 protected:
  ListenerInVirtualTime() { num_sent = 0; }
  ~ListenerInVirtualTime() override { sleep_instead = nullptr; }

  void SleepUntilHandled(const FakeJvm &jvm) {
    sleep_instead = [&jvm] { EXPECT_TRUE(Eventually([&] { return jvm.NumQuits() == num_sent; })); };
  }
};

TEST_F(ListenerInVirtualTime, SendsSigquitAgainAfterHalfOfTheTime) {
  FakeJvmPlan plan;
  plan.deaf_quits = 1;
  FakeJvm jvm(plan);
  sleep_instead = [&jvm] {
    EXPECT_TRUE(Eventually([&] { return jvm.NumQuits() == num_sent; }));
    EXPECT_TRUE(num_sent == 1 || Eventually([&] { return Exists(jvm.Socket()); }));
  };
  EXPECT_EQ(Connect(jvm, kShortSocketWait), "connected");
  EXPECT_EQ(jvm.NumQuits(), 2);
}

// A JVM that is no longer starting may have answered the first one with its stacks.
TEST_F(ListenerInVirtualTime, SendsSigquitOnceToAnOlderJvm) {
  FakeJvmPlan plan;
  plan.opens = false;
  FakeJvm jvm(plan);
  OpenTarget target(jvm.Pid(), {/*startup=*/20, /*socket=*/600, /*answer=*/20000});
  ASSERT_TRUE(target.good) << target.why.text;
  while (target_is_young(&target.t, 20)) usleep(1000);
  SleepUntilHandled(jvm);
  int fd = -1;
  EXPECT_FALSE(listener_connect(&target.t, &target.w, &fd, &target.why));
  EXPECT_EQ(jvm.NumQuits(), 1);
}

TEST_F(ListenerInVirtualTime, GivesUpOnAJvmThatDoesNotListen) {
  FakeJvmPlan plan;
  plan.opens = false;
  FakeJvm jvm(plan);
  SleepUntilHandled(jvm);
  EXPECT_EQ(Connect(jvm, kShortSocketWait),
            "the JVM of process " + std::to_string(jvm.Pid()) +
                " did not open its attach socket within 4 s; it is too "
                "busy, or was started with "
                "-XX:+DisableAttachMechanism");
  EXPECT_FALSE(Exists(jvm.AttachFile()));
  EXPECT_EQ(jvm.NumQuits(), 2);
}

TEST(Listener, RefusesAProcessThatEndsMeanwhile) {
  FakeJvm jvm;
  OpenTarget target(jvm.Pid());
  ASSERT_TRUE(target.good);
  kill(jvm.Pid(), SIGKILL);
  int fd = -1;
  EXPECT_FALSE(listener_connect(&target.t, &target.w, &fd, &target.why));
  std::string n = std::to_string(jvm.Pid()), why = target.why.text;
  EXPECT_TRUE(why == "process " + n + " has ended" ||
              why == "cannot signal process " + n + ": No such process")
      << why;
  EXPECT_FALSE(Exists(jvm.AttachFile()));
}

TEST(Listener, RemovesTheAttachFileWhenInterrupted) {
  signal(SIGINT, [](int) {});
  FakeJvmPlan plan;
  plan.opens = false;
  FakeJvm jvm(plan);
  OpenTarget target(jvm.Pid());
  ASSERT_TRUE(target.good);
  raise(SIGINT);
  int fd = -1;
  EXPECT_FALSE(listener_connect(&target.t, &target.w, &fd, &target.why));
  EXPECT_STREQ(target.why.text, "interrupted");
  EXPECT_FALSE(Exists(jvm.AttachFile()));
}

TEST(Listener, UsesTheAttachFileOfAnEarlierAttempt) {
  FakeJvm jvm;
  WriteFile(jvm.AttachFile(), "");
  EXPECT_EQ(Connect(jvm), "connected");
  EXPECT_FALSE(Exists(jvm.AttachFile()));
}

TEST(Listener, RefusesIfItCannotCreateTheAttachFile) {
  FakeJvm jvm;
  std::string name = jvm.AttachFile(), process = " of process " + std::to_string(jvm.Pid());
  ASSERT_EQ(symlink("/tmp/elsewhere", name.c_str()), 0);
  EXPECT_EQ(Connect(jvm),
            "cannot create " + name + process + ": Too many levels of symbolic links");
  EXPECT_FALSE(Exists("/tmp/elsewhere"));
  EXPECT_EQ(jvm.NumQuits(), 0);
}

TEST(Listener, RefusesAnAttachFileOfAnotherUser) {
  if (!CanChangeUser()) GTEST_SKIP() << "for root only";
  FakeJvmPlan plan;
  plan.uid = 65534;
  FakeJvm jvm(plan);
  WriteFile(jvm.AttachFile(), "");
  chmod(jvm.AttachFile().c_str(), 0666);
  std::string why = Connect(jvm), start = jvm.AttachFile() + " of process ";
  EXPECT_TRUE(why == start + std::to_string(jvm.Pid()) + " belongs to another user" ||
              why == "cannot create " + start + std::to_string(jvm.Pid()) + ": Permission denied")
      << why; /* depends on fs.protected_regular */
  EXPECT_EQ(jvm.NumQuits(), 0);
}

TEST(Listener, RefusesASocketPathThatIsNoSocket) {
  FakeJvm jvm;
  WriteFile(jvm.Socket(), "");
  EXPECT_EQ(Connect(jvm), MakeRefusal(jvm, "is not a socket of the JVM"));
  unlink(jvm.Socket().c_str());
  ASSERT_EQ(symlink("/tmp/elsewhere", jvm.Socket().c_str()), 0);
  EXPECT_EQ(Connect(jvm), MakeRefusal(jvm, "is not a socket of the JVM"));
  EXPECT_EQ(jvm.NumQuits(), 0);
}

TEST(Listener, IgnoresTheSocketOfAnEarlierProcess) {
  FakeJvm jvm;
  int fd;
  BindSocket(jvm.Socket(), &fd);
  close(fd);
  EXPECT_EQ(Connect(jvm), "connected");
}

TEST(Listener, RefusesASocketOfAnotherProcess) {
  FakeJvm jvm;
  int fd;
  BindSocket(jvm.Socket(), &fd);
  listen(fd, 1);
  EXPECT_EQ(Connect(jvm), MakeRefusal(jvm, "belongs to another process"));
  close(fd);
}

TEST(Listener, RefusesASocketOfAnotherUser) {
  if (!CanChangeUser()) GTEST_SKIP() << "for root only";
  FakeJvmPlan plan;
  plan.socket_owner = 65534;
  FakeJvm jvm(plan);
  EXPECT_EQ(Connect(jvm), MakeRefusal(jvm, "belongs to another user than the process"));
  EXPECT_FALSE(Exists(jvm.AttachFile()));
}

TEST(Listener, ConnectsToAJvmOfAnotherUser) {
  if (!CanChangeUser()) GTEST_SKIP() << "for root only";
  FakeJvmPlan plan;
  plan.uid = 65534;
  FakeJvm jvm(plan);
  EXPECT_EQ(Connect(jvm), "connected");
  EXPECT_FALSE(Exists(jvm.AttachFile()));
}

}  // namespace
