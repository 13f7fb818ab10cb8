#pragma once
/* A running program that calls a tracked method and counts its calls (tests/workloads/faults), for
   tests of faults that the agent meets meanwhile. */
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/e2e/dump.h"
#include "tests/e2e/process.h"
#include "tests/e2e/scratch.h"
#include "tests/support/eventually.h"
#include "tests/support/jvm.h"

class Calls {
 public:
  Calls();

  /* Start starts the program under the agent, and returns when it has begun. A call is
     two events, and nothing else is recorded.`options`: additional options, ",key=value".
     `preload`: a library for LD_PRELOAD; "": none. StartOnly does not wait. */
  void Start(const Jdk &jdk, const std::string &options, const std::string &preload = "",
             std::map<std::string, std::string> environment = {});
  void StartOnly(const Jdk &jdk, const std::string &options, const std::string &preload = "",
                 std::map<std::string, std::string> environment = {});

  /* StartLater starts the program with start=later; Attach begins the recording, by `orca attach`.
   */
  void StartLater(const Jdk &jdk, const std::string &preload,
                  std::map<std::string, std::string> environment);
  Result Attach(const std::string &options);

  /* Further flags of the JVM. Call it before Start. */
  void AddFlag(const std::string &flag) { flags_.push_back(flag); }

  /* The folder of the recording, which exists before Start, and its prefix. */
  std::string folder() const { return scratch_.dir() + "/recording"; }
  std::string prefix() const { return folder() + "/dump"; }
  const std::string &dir() const { return scratch_.dir(); }
  Process &process() { return *process_; }
  pid_t pid() const { return process_->pid(); }

  /* ExpectRunning expects that the program makes calls. */
  void ExpectRunning() const;

  /* End ends the program, and returns the number of its calls. */
  uint64_t End(double seconds = kPatienceSeconds);

  /* ReadBegun returns how many calls the program has begun, also if it was killed. */
  uint64_t ReadBegun() const;

  /* Reset deletes the recording, after End. Start may follow. */
  void Reset();

  /* After End: the duration of the longest group of 50 calls. */
  uint64_t longest_ms() const { return longest_ms_; }

  /* The messages of the agent up to now. */
  std::vector<std::string> ReadMessages() const;

  /* RunOrca runs `orca COMMAND PID` with further words. */
  Result RunOrca(const std::string &command, const std::vector<std::string> &words = {}) const;

  /* RunOrcaOnFiles runs `orca COMMAND PREFIX`. */
  Result RunOrcaOnFiles(const std::string &command) const;

 private:
  void Run(const Jdk &jdk, const std::string &agent, const std::string &preload,
           std::map<std::string, std::string> environment);
  std::string FormatOptions(const std::string &options) const;
  void AwaitBegin();
  std::string StopPath() const { return scratch_.dir() + "/over"; }
  uint64_t ReadNumber(const std::string &word) const;

  Scratch scratch_;
  std::unique_ptr<Process> process_;
  std::vector<std::string> flags_;
  uint64_t longest_ms_ = 0;
};

/* ReadInfoNumber returns the last value of a key of PREFIX.info; 0: it is missing. */
uint64_t ReadInfoNumber(const std::string &prefix, const std::string &key);

/* CountExits returns the number of MethodExit lines in a part of a file .orca that consists of
   whole lines. A call is complete if its MethodExit is there. If its MethodEntry was dropped, the
   call makes no MethodExit. So each call has either a MethodExit in the files, or one dropped
   event. */
uint64_t CountExits(const std::string &lines);
