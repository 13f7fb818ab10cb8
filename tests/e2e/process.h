#pragma once
/* A child process with a time limit. Its output goes to files, so it never blocks on a pipe. */
#include <stdint.h>
#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

struct Result {
  int status = -1; /* exit status; -1: a signal ended it; 127: the command was not found */
  int signal = 0;  /* the signal that ended it; 0: none */
  bool timed_out = false;
  std::string out, err;
};

class Process {
 public:
  /* Starts `command`, searched in PATH. `environment` is added to the test's own. The output goes
     to the files stdout and stderr in the folder `dir`. */
  Process(const std::vector<std::string> &command,
          const std::map<std::string, std::string> &environment, const std::string &dir);

  /* Kills the process if it still runs. */
  ~Process();

  Process(const Process &) = delete;
  Process &operator=(const Process &) = delete;

  /* WaitForLine waits until stdout contains `line`. Returns false if the process ends, or `seconds`
     pass, before that. */
  bool WaitForLine(const std::string &line, double seconds);

  /* WaitForBytes waits until a file has so many bytes. Returns false like WaitForLine. */
  bool WaitForBytes(const std::string &path, uint64_t bytes, double seconds);

  /* WaitUpTo waits for `seconds`, or until the process ends. */
  void WaitUpTo(double seconds);

  /* ReadOut returns what the process has written to stdout up to now. */
  std::string ReadOut() const;

  void Signal(int signal);

  pid_t pid() const { return pid_; }

  /* The process has to run. */
  long ReadResidentMemory() const; /* in kB */
  long CountOpenFiles() const;     /* all file descriptors */

  /* Wait waits until the process ends, and kills it after `seconds`. */
  Result Wait(double seconds);

 private:
  bool Reap(bool block);

  std::string dir_;
  pid_t pid_ = -1;
  bool running_ = false; /* false also if it could not be started */
  int wait_status_ = 0;
};

/* GetProcPath returns the path /proc/PID/NAME. */
std::string GetProcPath(pid_t pid, const std::string &name);

/* RunProcess starts a process and waits until it ends, like Process::Wait. */
Result RunProcess(const std::vector<std::string> &command,
                  const std::map<std::string, std::string> &environment, const std::string &dir,
                  double seconds);
