#pragma once
/* A child process with a time limit. Its output goes to files, so that it never waits for us. */
#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

struct Result {
  int status = -1; /* of exit; -1 when a signal ended it, 127 when there is no such command */
  int signal = 0;  /* that ended it */
  bool timed_out = false;
  std::string out, err;
};

class Process {
 public:
  /* Starts `command`, found by PATH, with `environment` added to ours. stdout and stderr go to the
     files of these names in the folder `dir`. */
  Process(const std::vector<std::string> &command,
          const std::map<std::string, std::string> &environment, const std::string &dir);

  /* Kills what still runs. */
  ~Process();

  Process(const Process &) = delete;
  Process &operator=(const Process &) = delete;

  /* WaitForLine returns when `line` stands in the output; false when the process ended or the time
     was up before. */
  bool WaitForLine(const std::string &line, double seconds);

  /* Linger returns after this time, or at once when the process ends. */
  void Linger(double seconds);

  void Signal(int signal);

  pid_t pid() const { return pid_; }

  /* Wait waits for the end; a process that takes longer than `seconds` is killed. */
  Result Wait(double seconds);

 private:
  bool Reap(bool block);

  std::string dir_;
  pid_t pid_;
  bool running_; /* false also where it could not be started */
  int wait_status_ = 0;
};

/* RunProcess is start and Wait in one. */
Result RunProcess(const std::vector<std::string> &command,
                  const std::map<std::string, std::string> &environment, const std::string &dir,
                  double seconds);
