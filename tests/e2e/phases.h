#pragma once
/* A program that runs phase by phase (tests/workloads/counted/Phases.java), and what is asked of
   the agent in it meanwhile. */
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
  /* Starts it, with further flags of the JVM; it is ready on return. */
  explicit Phases(const Jdk &jdk, std::vector<std::string> flags = {});
  ~Phases();

  /* Run has it do this ("calls", "residents") and gives its account. */
  Story Run(const std::string &phase);

  /* End has it end, which it must do well, and without a word of Orca's. */
  void End();

  /* Kill ends it at once. */
  void Kill();

  /* OrcaOn runs `orca COMMAND WORDS PREFIX` on a recording. */
  Result OrcaOn(const std::string &command, const std::vector<std::string> &words,
                const std::string &prefix) const;

  /* Orca runs `orca COMMAND PID WORDS`, Jcmd the JDK's own `jcmd PID WORDS`. */
  Result Orca(const std::string &command, const std::vector<std::string> &words = {}) const;
  Result Jcmd(const std::vector<std::string> &words) const;

  /* ExpectDump: the recording there tells the account, and `orca check` accepts it. */
  Dump ExpectDump(const std::string &prefix, const Story &story) const;

  /* Where the files of the recording of this name lie. */
  std::string Prefix(const std::string &name) const { return scratch_.dir() + "/" + name; }

  bool HasAgent() const;  /* is our library mapped? */
  long Resident() const;  /* kB of memory */
  long OpenFiles() const; /* and other descriptors */

 private:
  Result Ask(std::vector<std::string> command) const;
  std::string Proc(const std::string &name) const;

  Jdk jdk_;
  Scratch scratch_;
  int pipe_; /* for its orders */
  std::unique_ptr<Process> process_;
  int done_ = 0;    /* orders */
  size_t read_ = 0; /* bytes of its output */
};
