#include "tests/tools/orca/attach/fake_jvm.h"

#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace {

void Sleep(int ms) { usleep(static_cast<useconds_t>(ms) * 1000); }

/* --- the child ------------------------------------------------------------------- */

volatile sig_atomic_t num_quits;

void CountQuit(int) { num_quits = num_quits + 1; }

void MapFile(const std::string &name) {
  if (name.empty()) return;
  int fd = open(name.c_str(), O_RDONLY);
  if (mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE, fd, 0) == MAP_FAILED) _exit(99);
  close(fd);
}

int OpenSocket(const FakeJvmPlan &plan) {
  sockaddr_un at = {};
  at.sun_family = AF_UNIX;
  std::string path = "/tmp/.java_pid" + std::to_string(getpid()), unready = path + ".tmp";
  unready.copy(at.sun_path, sizeof at.sun_path - 1);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  bind(fd, reinterpret_cast<sockaddr *>(&at), sizeof at);
  listen(fd, 5);
  if (plan.socket_owner >= 0) {
    (void)!chown(at.sun_path, static_cast<uid_t>(plan.socket_owner), static_cast<gid_t>(-1));
  }
  rename(at.sun_path, path.c_str());
  return fd;
}

std::string ReceiveRequest(int fd) {
  std::string request;
  char bytes[4096];
  while (std::count(request.begin(), request.end(), '\0') < 5) {
    ssize_t n = read(fd, bytes, sizeof bytes);
    if (n <= 0) break;
    request.append(bytes, static_cast<size_t>(n));
  }
  std::replace(request.begin(), request.end(), '\0', '|');
  return request;
}

/* Writes the reply as an agent does: the file must exist. */
void WriteReply(const std::string &request, std::string text) {
  const std::string key = "reply=", pid = "{PID}";
  for (size_t i; (i = text.find(pid)) != std::string::npos;) {
    text.replace(i, pid.size(), std::to_string(getpid()));
  }
  size_t at = request.find(key);
  if (at == std::string::npos || text.empty()) return;
  at += key.size();
  std::string path = request.substr(at, request.find_first_of(",|", at) - at);
  int fd = open(path.c_str(), O_WRONLY | O_NOFOLLOW);
  (void)!write(fd, text.data(), text.size());
  close(fd);
}

void SendAnswer(int fd, const std::string &answer, int byte_ms) {
  for (char c : answer) {
    if (byte_ms > 0) Sleep(byte_ms);
    (void)!write(fd, &c, 1);
  }
}

void Serve(int listener, const FakeJvmPlan &plan) {
  for (size_t i = 0;; i++) {
    int fd = accept(listener, nullptr, nullptr);
    if (fd < 0) continue; /* SIGQUIT */
    std::string request = ReceiveRequest(fd);
    WriteFile("request", request);
    if (plan.silent) continue;
    bool is_early = i < plan.early.size();
    if (!is_early) WriteReply(request, plan.reply);
    SendAnswer(fd, is_early ? plan.early[i] : plan.answer, plan.byte_ms);
    close(fd);
  }
}

void ApplyPlan(const FakeJvmPlan &plan) {
  if (plan.uid != 0 && (setgroups(0, nullptr) != 0 || setgid(plan.uid) != 0 ||
                        setuid(plan.uid) != 0 || prctl(PR_SET_DUMPABLE, 1) != 0)) {
    _exit(98);
  }
  if (plan.handler) signal(SIGQUIT, CountQuit);
  MapFile(plan.library);
  MapFile(plan.agent);
}

bool HasAttachFile() {
  std::string name = ".attach_pid" + std::to_string(getpid());
  return Exists(name) || Exists("/tmp/" + name);
}

[[noreturn]] void RunChild(const FakeJvmPlan &plan, int ready) {
  signal(SIGQUIT, SIG_DFL);
  signal(SIGPIPE, SIG_IGN);
  if (plan.late_ms > 0) close(ready);
  Sleep(plan.late_ms);
  ApplyPlan(plan);
  close(ready);
  for (int num_seen = 0;;) {
    while (num_quits == num_seen) Sleep(1);
    num_seen = num_quits;
    WriteFile("quits", std::to_string(num_seen));
    if (plan.opens && num_seen > plan.deaf_quits && HasAttachFile()) Serve(OpenSocket(plan), plan);
  }
}

}  // namespace

/* --- the parent -------------------------------------------------------------------- */

bool CanChangeUser() {
  pid_t child = fork();
  if (child == 0) _exit(chroot("/") == 0 && setgid(65534) == 0 && setuid(65534) == 0 ? 0 : 1);
  int status;
  return waitpid(child, &status, 0) == child && status == 0;
}

bool Exists(const std::string &path) {
  struct stat st;
  return lstat(path.c_str(), &st) == 0;
}

void WriteFile(const std::string &path, const std::string &text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string MakeFolder() {
  const char *tmp = getenv("TEST_TMPDIR");
  std::string folder = std::string(tmp == nullptr ? "/tmp" : tmp) + "/fake_XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) abort();
  chmod(folder.c_str(), 0777);
  return folder;
}

FakeJvm::FakeJvm(const FakeJvmPlan &plan)
    : folder_(plan.inside ? plan.root + "/tmp" : MakeFolder()), root_(plan.root) {
  for (const std::string &name : {plan.library, plan.agent}) {
    if (!name.empty()) WriteFile(folder_ + "/" + name, std::string(4096, 'x'));
  }
  int ready[2];
  if (pipe(ready) != 0) abort();
  pid_ = fork();
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (chdir(folder_.c_str()) != 0) _exit(97);
    if (!root_.empty() && chroot(root_.c_str()) != 0) _exit(96);
    RunChild(plan, ready[1]);
  }
  close(ready[1]);
  char byte;
  (void)!read(ready[0], &byte, 1);
  close(ready[0]);
}

FakeJvm::~FakeJvm() {
  if (WaitStatus() < 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  unlink(Socket().c_str());
  unlink(AttachFile().c_str());
}

std::string FakeJvm::Socket() const { return root_ + "/tmp/.java_pid" + std::to_string(pid_); }

std::string FakeJvm::AttachFile() const {
  return root_ + "/tmp/.attach_pid" + std::to_string(pid_);
}

std::string FakeJvm::Request() const { return ReadFile(folder_ + "/request"); }

int FakeJvm::NumQuits() const { return atoi(ReadFile(folder_ + "/quits").c_str()); }

int FakeJvm::WaitStatus() {
  if (running_ && waitpid(pid_, &status_, WNOHANG) == pid_) running_ = false;
  return running_ ? -1 : status_;
}

/* --- OpenTarget ------------------------------------------------------------------------ */

OpenTarget::OpenTarget(pid_t pid, const struct wait_limits &limits) {
  if (!bounded_wait_begin(&w, &limits, &why)) abort();
  good = target_open(&t, pid, &w, &why);
}

OpenTarget::~OpenTarget() {
  if (good) target_close(&t);
  bounded_wait_end(&w);
}
