#pragma once
/* Runs the workload tests/workloads/counted/Phases.java, which performs one phase on each order,
   and commands that control the agent in it. */
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/e2e/dump.h"
#include "tests/e2e/process.h"
#include "tests/e2e/scratch.h"
#include "tests/e2e/story.h"
#include "tests/support/jvm.h"

class Phases {
 public:
  /* Starts the program with additional flags of the JVM, and waits until it accepts orders. */
  explicit Phases(const Jdk &jdk, std::vector<std::string> flags = {});
  ~Phases();

  /* Run makes the program perform a phase ("calls", "residents") and returns the account of it. */
  Story Run(const std::string &phase);

  /* End makes the program end. Expects exit status 0 and no output of Orca. */
  void End();

  /* Kill kills the program with SIGKILL. */
  void Kill();

  /* RunOrcaOn runs `orca COMMAND WORDS PREFIX`. */
  Result RunOrcaOn(const std::string &command, const std::vector<std::string> &words,
                   const std::string &prefix) const;

  /* RunOrca runs `orca COMMAND PID WORDS`. RunJcmd runs `jcmd PID WORDS` of the same JDK. */
  Result RunOrca(const std::string &command, const std::vector<std::string> &words = {}) const;
  Result RunJcmd(const std::vector<std::string> &words) const;

  /* Order runs `orca COMMAND PID WORDS`, and expects that it succeeds and prints no message. It
     returns what the command prints. */
  std::string Order(const std::string &command, const std::vector<std::string> &words = {}) const;

  /* TakeSnapshot makes a snapshot of the recording, and returns its prefix. After that all events
     up to now are in the files, those of the recording too. */
  std::string TakeSnapshot();

  /* Record records the phase "calls", from attach to stop, and expects that the recording `name`
     matches the account. */
  Dump Record(const std::string &name);

  /* RecordRounds calls Record $ORCA_ATTACH_ROUNDS times, by default 20. It returns what `measure`
     returned after round 5, when all classes and libraries are loaded. */
  long RecordRounds(const std::function<long()> &measure);

  /* ExpectDump expects that a recording matches the account, and that `orca check` accepts it. */
  Dump ExpectDump(const std::string &prefix, const Story &story) const;

  /* Prefix returns the prefix of the files of the recording `name`. */
  std::string Prefix(const std::string &name) const { return scratch_.dir() + "/" + name; }

  /* LimitFiles limits the number of file descriptors; 0: as before. */
  void LimitFiles(long number);

  pid_t pid() const { return process_->pid(); }
  bool HasAgent() const; /* liborca.so is mapped */
  const Process &process() const { return *process_; }

 private:
  Result RunCommand(std::vector<std::string> command) const;
  bool IsListening() const;

  Jdk jdk_;
  Scratch scratch_;
  int pipe_; /* the program reads its orders from it */
  std::unique_ptr<Process> process_;
  int done_ = 0;    /* number of performed orders */
  size_t read_ = 0; /* bytes of its stdout already read */
  int snapshots_ = 0;
};
