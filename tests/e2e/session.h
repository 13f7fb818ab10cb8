#pragma once
/* Runs a program of tests/workloads with the agent. */
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/e2e/dump.h"
#include "tests/e2e/process.h"
#include "tests/e2e/scratch.h"
#include "tests/e2e/story.h"
#include "tests/support/jvm.h"

/* The program of a session. */
struct Program {
  std::vector<std::string> words; /* main class and arguments */
  std::vector<std::string> flags; /* additional flags of the JVM */
  std::string options;            /* additional options of the agent: ",key=value" */
  std::string walk;               /* ORCA_WALK (agent/meta/walker.h); "": not set */

  explicit Program(std::vector<std::string> words, std::vector<std::string> flags = {},
                   std::string options = "", std::string walk = "")
      : words(std::move(words)),
        flags(std::move(flags)),
        options(std::move(options)),
        walk(std::move(walk)) {}
};

/* Excludes the groups of events that the JDK, or another agent, causes in the threads of the
 * program. */
inline constexpr const char *kWithoutLocks = ",events=all-lock-condition-park";

class Session {
 public:
  Session(const Setup &setup, const Program &program);

  /* WaitOnly waits until the program ends and reads its account. Wait also reads the dump. Both
     kill the program after `seconds`. */
  void WaitOnly(double seconds);
  void Wait(double seconds = 60);

  Process &process() { return *process_; }
  const std::string &prefix() const { return prefix_; }
  const Result &result() const { return result_; }
  const Story &story() const { return story_; }
  const Dump &dump() const { return dump_; }

  /* ExpectQuiet expects no output of the agent, no thread or class of Orca in the dump, and no
     invalid line. */
  void ExpectQuiet() const;

  /* ExpectChecked expects that `orca check` accepts the dump. */
  void ExpectChecked(double seconds = 60) const;

  /* RunOrca runs `orca COMMAND WORDS PREFIX` on the dump. */
  Result RunOrca(const std::string &command, const std::vector<std::string> &words = {},
                 double seconds = 60) const;

 private:
  Scratch scratch_;
  std::string prefix_, engine_;
  std::unique_ptr<Process> process_;
  Result result_;
  Story story_;
  Dump dump_;
};

/* RunOrcaOn runs `orca COMMAND WORDS PREFIX`. Its output goes to a folder in `dir`. */
Result RunOrcaOn(const std::string &command, const std::vector<std::string> &words,
                 const std::string &prefix, const std::string &dir, double seconds = 60);

/* These functions are the parts of ExpectQuiet and ExpectChecked, for programs and dumps without a
   session. The output of `orca check` goes to a folder in `dir`. */
void ExpectQuietOutput(const Result &result);
void ExpectNoFaults(const Dump &dump, const std::string &prefix);
void ExpectAccepted(const std::string &prefix, const std::string &dir, double seconds = 60);

/* SkipLauncher returns what follows the lines that the launcher of JDK 8 makes the JVM print with
   -Xcheck:jni: one for each argument of the program, before the program starts. The agent never
   makes such a call at that time. */
std::string SkipLauncher(const std::string &output);

/* FindOrcaLines returns the messages of the agent: the lines that start with "orca: ". */
std::vector<std::string> FindOrcaLines(const std::string &output);
