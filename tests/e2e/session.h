#pragma once
/* A program of tests/workloads that runs under the agent. */
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/e2e/dump.h"
#include "tests/e2e/process.h"
#include "tests/e2e/scratch.h"
#include "tests/e2e/story.h"
#include "tests/support/jvm.h"

/* What is to be run. */
struct Program {
  std::vector<std::string> words; /* main class, arguments */
  std::vector<std::string> flags; /* further ones of the JVM */
  std::string options;            /* further ones of the agent: ",key=value" */

  explicit Program(std::vector<std::string> words, std::vector<std::string> flags = {},
                   std::string options = "")
      : words(std::move(words)), flags(std::move(flags)), options(std::move(options)) {}
};

/* An option: without the groups of which the JDK, or another agent in it, makes events of its own
   in the threads of a program. */
inline constexpr const char *kWithoutLocks = ",events=all-lock-condition-park";

class Session {
 public:
  Session(const Setup &setup, const Program &program);

  /* WaitOnly waits for the end and reads what the program said; Wait reads what the agent wrote,
     too. */
  void WaitOnly(double seconds);
  void Wait(double seconds = 60);

  Process &process() { return *process_; }
  const std::string &prefix() const { return prefix_; }
  const Result &result() const { return result_; }
  const Story &story() const { return story_; }
  const Dump &dump() const { return dump_; }

  /* Orca shows itself neither in the output of the program nor in what it says about it, and every
     whole line is right. */
  void ExpectQuiet() const;

  /* The `orca` program accepts the dump. */
  void ExpectChecked(double seconds = 60) const;

  /* Runs a command of the `orca` program on the dump, with further words before its prefix. */
  Result Orca(const std::string &command, const std::vector<std::string> &words = {},
              double seconds = 60) const;

 private:
  Scratch scratch_;
  std::string prefix_;
  std::unique_ptr<Process> process_;
  Result result_;
  Story story_;
  Dump dump_;
};

/* OrcaOn runs a command of the `orca` program on the dump of a prefix; `dir` is for its output. */
Result OrcaOn(const std::string &command, const std::vector<std::string> &words,
              const std::string &prefix, const std::string &dir, double seconds = 60);

/* ExpectQuiet and ExpectChecked of a program or a dump that is no session's. `dir` is for the
   output of `orca check`. */
void ExpectQuietOutput(const Result &result);
void ExpectSound(const Dump &dump, const std::string &prefix);
void ExpectAccepted(const std::string &prefix, const std::string &dir, double seconds = 60);

/* OrcaLines gives what the agent said: the lines that begin with "orca: ". */
std::vector<std::string> OrcaLines(const std::string &output);
