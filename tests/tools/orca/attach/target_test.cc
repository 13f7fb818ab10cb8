#include "tools/orca/attach/target.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "tests/tools/orca/attach/fake_jvm.h"

namespace {

std::string GetPidText(const FakeJvm &jvm) { return std::to_string(jvm.Pid()); }

std::string GetRefusal(pid_t pid, const struct wait_limits &limits = kLongLimits) {
  OpenTarget target(pid, limits);
  return target.good ? "none" : target.why.text;
}

TEST(Target, IsOpenedForAJvm) {
  FakeJvm jvm;
  OpenTarget target(jvm.Pid());
  ASSERT_TRUE(target.good) << target.why.text;
  EXPECT_EQ(target.t.inner_pid, jvm.Pid());
  EXPECT_EQ(target.t.user.uid, geteuid());
  EXPECT_EQ(target.t.user.gid, getegid());
  EXPECT_TRUE(target.t.shares_files);
  EXPECT_FALSE(target_has_ended(&target.t));
}

TEST(Target, IsOpenedForAJvmThatIsStarting) {
  FakeJvmPlan plan;
  plan.late_ms = 150;
  FakeJvm jvm(plan);
  EXPECT_EQ(GetRefusal(jvm.Pid()), "none");
}

TEST(Target, IsRefusedForAnEndedProcess) {
  FakeJvm jvm;
  pid_t gone = jvm.Pid();
  kill(gone, SIGKILL);
  siginfo_t info;
  waitid(P_PID, static_cast<id_t>(gone), &info, WEXITED | WNOWAIT);
  EXPECT_EQ(GetRefusal(gone), "process " + GetPidText(jvm) + " has ended"); /* a zombie */
  waitpid(gone, nullptr, 0);
  EXPECT_EQ(GetRefusal(gone), "there is no process " + GetPidText(jvm));
}

TEST(Target, IsRefusedForAProcessThatIsNoJvm) {
  FakeJvmPlan plan;
  plan.library = "libjvm.so.txt";
  FakeJvm jvm(plan);
  EXPECT_EQ(
      GetRefusal(jvm.Pid(), kShortStartup),
      "process " + GetPidText(jvm) + " is not a JVM (a native image of GraalVM is none either)");
  EXPECT_EQ(jvm.WaitStatus(), -1);
}

TEST(Target, IsRefusedForOpenJ9) {
  FakeJvmPlan plan;
  plan.agent = "libj9vm29.so";
  FakeJvm jvm(plan);
  EXPECT_EQ(GetRefusal(jvm.Pid(), kShortStartup),
            "process " + GetPidText(jvm) + " is an OpenJ9 JVM; Orca needs HotSpot");
}

TEST(Target, IsRefusedForAJvmWithMusl) {
  FakeJvmPlan plan;
  plan.agent = "ld-musl-x86_64.so.1";
  FakeJvm jvm(plan);
  EXPECT_EQ(GetRefusal(jvm.Pid(), kShortStartup),
            "the JVM of process " + GetPidText(jvm) +
                " uses musl; the agent needs a JVM that uses glibc");
  EXPECT_EQ(jvm.WaitStatus(), -1);
}

/* A program of 32 bits: mmap2(0, 4096, PROT_READ, MAP_PRIVATE, 3, 0), then pause() again and again.
 */
const char kProgramOf32Bits[] =
    "\x7F\x45LF\1\1\1\0\0\0\0\0\0\0\0\0"                // e_ident
    "\2\0\3\0\1\0\0\0\x54\x80\4\x08\x34\0\0\0"          // its entry is 0x8048054
    "\0\0\0\0\0\0\0\0\x34\0\x20\0\1\0\0\0\0\0\0\0"      // it has one segment
    "\1\0\0\0\0\0\0\0\0\x80\4\x08\0\x80\4\x08"          // of code
    "\x7C\0\0\0\x7C\0\0\0\5\0\0\0\0\x10\0\0"            //
    "\xB8\xC0\0\0\0\x31\xDB\xB9\0\x10\0\0\xBA\1\0\0\0"  // mov eax, xor ebx, mov ecx, edx
    "\xBE\2\0\0\0\xBF\3\0\0\0\x31\xED\xCD\x80"          // mov esi, edi, xor ebp, int 0x80
    "\xB8\x1D\0\0\0\xCD\x80\xEB\xF7";                   // mov eax, int 0x80, jmp

TEST(Target, IsRefusedForAJvmWith32Bits) {
  std::string folder = MakeFolder(), program = folder + "/java", library = folder + "/libjvm.so";
  WriteFile(program, std::string(kProgramOf32Bits, sizeof kProgramOf32Bits - 1));
  WriteFile(library, "x");
  chmod(program.c_str(), 0755);
  int fd = open(library.c_str(), O_RDONLY);
  pid_t child = fork();
  if (child == 0) {
    dup2(fd, 3);
    execl(program.c_str(), program.c_str(), nullptr);
    _exit(9);
  }
  close(fd);
  int status = 0;
  std::string why = GetRefusal(child, kShortStartup);
  if (waitpid(child, &status, WNOHANG) == child) GTEST_SKIP() << "no programs of 32 bits run here";
  EXPECT_EQ(why, "the JVM of process " + std::to_string(child) +
                     " has 32 bits; the agent needs a JVM that has 64 bits");
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
}

TEST(Target, IsRefusedWithoutASigquitHandler) {
  FakeJvmPlan plan;
  plan.handler = false;
  FakeJvm jvm(plan);
  EXPECT_EQ(GetRefusal(jvm.Pid(), kShortStartup),
            "process " + GetPidText(jvm) + " cannot be attached to: its JVM was started with -Xrs");
  EXPECT_EQ(jvm.WaitStatus(), -1);
}

TEST(Target, IsRefusedForAStoppedProcess) {
  FakeJvm jvm;
  kill(jvm.Pid(), SIGSTOP);
  siginfo_t info;
  waitid(P_PID, static_cast<id_t>(jvm.Pid()), &info, WSTOPPED);
  std::string n = GetPidText(jvm);
  EXPECT_EQ(GetRefusal(jvm.Pid()), "process " + n + " is stopped; resume it with kill -CONT " + n);
}

void *SendThreadId(void *ends) {
  pid_t id = static_cast<pid_t>(syscall(SYS_gettid));
  int *pipes = static_cast<int *>(ends);
  (void)!write(pipes[1], &id, sizeof id);
  char byte;
  (void)!read(pipes[2], &byte, 1);
  return nullptr;
}

TEST(Target, IsRefusedForAThread) {
  int pipes[4];
  ASSERT_EQ(pipe(pipes), 0);
  ASSERT_EQ(pipe(pipes + 2), 0);
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, nullptr, SendThreadId, pipes), 0);
  pid_t id;
  ASSERT_EQ(read(pipes[0], &id, sizeof id), static_cast<ssize_t>(sizeof id));
  EXPECT_EQ(GetRefusal(id),
            std::to_string(id) + " is a thread of process " + std::to_string(getpid()));
  for (int i : {0, 1, 3}) close(pipes[i]);
  pthread_join(thread, nullptr);
  close(pipes[2]);
}

TEST(Target, IsRefusedForAnotherUser) {
  FakeJvm jvm; /* runs as root */
  if (!CanChangeUser()) GTEST_SKIP() << "for root only";
  pid_t child = fork();
  if (child == 0) {
    if (setgid(65534) != 0 || setuid(65534) != 0) _exit(9);
    std::string expected = "process " + GetPidText(jvm) +
                           " belongs to user 0; only that user and root may attach to it";
    _exit(GetRefusal(jvm.Pid()) == expected ? 0 : 1);
  }
  int status;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(Target, IsOpenedByRootForAnotherUser) {
  if (!CanChangeUser()) GTEST_SKIP() << "for root only";
  FakeJvmPlan plan;
  plan.uid = 65534;
  FakeJvm jvm(plan);
  OpenTarget target(jvm.Pid());
  ASSERT_TRUE(target.good) << target.why.text;
  EXPECT_EQ(target.t.user.uid, 65534u);
  EXPECT_EQ(target.t.user.gid, 65534u);
  EXPECT_TRUE(target.t.shares_files);
}

TEST(Target, IsOpenedInAnotherRoot) {
  if (!CanChangeUser()) GTEST_SKIP() << "for root only";
  FakeJvmPlan plan;
  plan.root = MakeFolder();
  EXPECT_EQ(mkdir((plan.root + "/tmp").c_str(), 0777), 0);
  WriteFile(plan.root + "/tmp/here", "yes");
  FakeJvm jvm(plan);
  OpenTarget target(jvm.Pid());
  ASSERT_TRUE(target.good) << target.why.text;
  EXPECT_FALSE(target.t.shares_files);
  EXPECT_EQ(faccessat(target.t.tmp, "here", R_OK, 0), 0);
  int fd = target_open_file(&target.t, "/tmp/here", O_RDONLY);
  EXPECT_GE(fd, 0);
  close(fd);
  EXPECT_EQ(target_open_file(&target.t, "/proc", O_RDONLY), -1);
}

TEST(Target, IsRefusedWithoutTmp) {
  if (!CanChangeUser()) GTEST_SKIP() << "for root only";
  FakeJvmPlan plan;
  plan.root = MakeFolder();
  FakeJvm jvm(plan);
  EXPECT_EQ(GetRefusal(jvm.Pid()),
            "cannot reach /tmp of process " + GetPidText(jvm) + ": No such file or directory");
}

TEST(Target, CanBeReadAndSignalled) {
  FakeJvm jvm;
  OpenTarget target(jvm.Pid());
  ASSERT_TRUE(target.good) << target.why.text;
  struct builder b = {};
  EXPECT_TRUE(target_read(&target.t, "maps", &b));
  EXPECT_NE(std::string(b.data, b.len).find("/libjvm.so"), std::string::npos);
  EXPECT_FALSE(target_read(&target.t, "nothing", &b));
  EXPECT_EQ(errno, ENOENT);
  builder_free(&b);
  EXPECT_TRUE(target_signal(&target.t, SIGKILL));
  siginfo_t info;
  waitid(P_PID, static_cast<id_t>(jvm.Pid()), &info, WEXITED | WNOWAIT);
  EXPECT_TRUE(target_has_ended(&target.t));
  EXPECT_GE(jvm.WaitStatus(), 0);
  EXPECT_TRUE(target_has_ended(&target.t));
  EXPECT_FALSE(target_signal(&target.t, SIGKILL));
}

// --- its user ---

const struct user kNobody = {65534, 65534};

TEST(User, ChangesFromRootAndBack) {
  if (!CanChangeUser()) GTEST_SKIP() << "for root only";
  gid_t group = getegid();
  struct user before;
  ASSERT_TRUE(user_become(kNobody, &before));
  EXPECT_EQ(geteuid(), kNobody.uid);
  EXPECT_EQ(getegid(), kNobody.gid);
  EXPECT_EQ(getgroups(0, nullptr), 0);
  user_return(before);
  EXPECT_EQ(geteuid(), 0u);
  EXPECT_EQ(getegid(), group);
}

TEST(User, DoesNothingIfAlreadyChanged) {
  if (!CanChangeUser()) GTEST_SKIP() << "for root only";
  struct user before, inner;
  ASSERT_TRUE(user_become(kNobody, &before));
  EXPECT_TRUE(user_become({12345, 12345}, &inner));
  EXPECT_EQ(geteuid(), kNobody.uid);
  user_return(inner);
  EXPECT_EQ(geteuid(), kNobody.uid);
  user_return(before);
  EXPECT_EQ(geteuid(), 0u);
}

TEST(User, DoesNothingWithoutRoot) {
  if (geteuid() == 0) GTEST_SKIP() << "not for root";
  uid_t us = geteuid();
  struct user before;
  EXPECT_TRUE(user_become(kNobody, &before));
  EXPECT_EQ(geteuid(), us);
  user_return(before);
  EXPECT_EQ(geteuid(), us);
}

TEST(User, KeepsErrnoOnReturn) {
  struct user before;
  ASSERT_TRUE(user_become({geteuid(), getegid()}, &before));
  errno = ENOTDIR;
  user_return(before);
  EXPECT_EQ(errno, ENOTDIR);
}

}  // namespace
