#include "tests/e2e/process.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "tests/support/eventually.h"
#include "tests/support/text.h"

namespace {

int OpenOutput(const std::string &path) {
  return open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
}

[[noreturn]] void ExecCommand(const std::vector<std::string> &command,
                              const std::map<std::string, std::string> &environment, int out,
                              int err) {
  prctl(PR_SET_PDEATHSIG, SIGKILL); /* also if the test is killed */
  /* The shell that started the test may have ignored some of them. */
  for (int s : {SIGHUP, SIGINT, SIGTERM, SIGPIPE, SIGXFSZ}) signal(s, SIG_DFL);
  if (dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0) _exit(126);
  for (const auto &[key, value] : environment) setenv(key.c_str(), value.c_str(), 1);
  std::vector<char *> argv;
  for (const std::string &word : command) argv.push_back(const_cast<char *>(word.c_str()));
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  _exit(127);
}

}  // namespace

std::string GetProcPath(pid_t pid, const std::string &name) {
  return "/proc/" + std::to_string(pid) + "/" + name;
}

Process::Process(const std::vector<std::string> &command,
                 const std::map<std::string, std::string> &environment, const std::string &dir)
    : dir_(dir) {
  /* Before the fork: otherwise WaitForLine could find a line of the process before this one. */
  int out = OpenOutput(dir + "/stdout"), err = OpenOutput(dir + "/stderr");
  pid_ = fork();
  running_ = pid_ > 0;
  if (pid_ == 0) ExecCommand(command, environment, out, err);
  close(out);
  close(err);
}

Process::~Process() { Wait(0); }

bool Process::Reap(bool block) {
  if (running_ && waitpid(pid_, &wait_status_, block ? 0 : WNOHANG) == pid_) running_ = false;
  return !running_;
}

bool Process::WaitForLine(const std::string &line, double seconds) {
  auto has_line = [&] {
    return ("\n" + ReadFile(dir_ + "/stdout")).find("\n" + line + "\n") != std::string::npos;
  };
  (void)Eventually([&] { return has_line() || Reap(false); }, nullptr, seconds);
  return has_line();
}

bool Process::WaitForBytes(const std::string &path, uint64_t bytes, double seconds) {
  auto has_bytes = [&] {
    std::error_code missing;
    uintmax_t size = std::filesystem::file_size(path, missing);
    return !missing && size >= bytes;
  };
  (void)Eventually([&] { return has_bytes() || Reap(false); }, nullptr, seconds);
  return has_bytes();
}

void Process::WaitUpTo(double seconds) {
  (void)Eventually([&] { return Reap(false); }, nullptr, seconds);
}

std::string Process::ReadOut() const { return ReadFile(dir_ + "/stdout"); }

long Process::ReadResidentMemory() const {
  const std::string key = "VmRSS:";
  for (const std::string &line : SplitLines(ReadFile(GetProcPath(pid_, "status")))) {
    if (line.rfind(key, 0) == 0) return atol(line.c_str() + key.size());
  }
  return 0;
}

long Process::CountOpenFiles() const {
  auto files = std::filesystem::directory_iterator(GetProcPath(pid_, "fd"));
  return std::distance(begin(files), end(files));
}

void Process::Signal(int signal) {
  if (running_) kill(pid_, signal);
}

Result Process::Wait(double seconds) {
  Result result;
  result.timed_out = !Eventually([&] { return Reap(false); }, nullptr, seconds);
  if (result.timed_out) {
    Signal(SIGKILL);
    Reap(true);
  }
  if (pid_ > 0 && WIFEXITED(wait_status_)) result.status = WEXITSTATUS(wait_status_);
  if (WIFSIGNALED(wait_status_)) result.signal = WTERMSIG(wait_status_);
  result.out = ReadFile(dir_ + "/stdout");
  result.err = ReadFile(dir_ + "/stderr");
  return result;
}

Result RunProcess(const std::vector<std::string> &command,
                  const std::map<std::string, std::string> &environment, const std::string &dir,
                  double seconds) {
  return Process(command, environment, dir).Wait(seconds);
}
