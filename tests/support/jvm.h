#pragma once
/* Finds the JDKs of this machine, and builds commands that run a program with the agent. */
#include <map>
#include <string>
#include <utility>
#include <vector>

struct Jdk {
  std::string home;
  int version;      /* 8, 17, 25 */
  std::string name; /* "jdk17"; unique, and valid in a test name */
};

/* FindJdks returns each JDK that can run the agent once, the oldest first. It searches the folders
   in $ORCA_JDKS (separated by ':') if that is set, otherwise $JAVA_HOME and all folders in
   /usr/lib/jvm. tools/testing/jdks.py chooses the JDKs of each step of the gate. */
std::vector<Jdk> FindJdks();

/* A JDK and the engine that the agent uses in it. A Jdk converts to a Setup with the engine
   weave. */
struct Setup {
  Setup(Jdk with, std::string by = "weave") : jdk(std::move(with)), engine(std::move(by)) {}
  Jdk jdk;
  std::string engine;
};

/* FindSetups returns every JDK with every engine. $ORCA_ENGINES ("callbacks:weave") selects
   engines. Only workloads_test uses it: which calls, objects and stacks an engine records. Other
   tests use FindJdks, since the writer and the reader do not know the engine. */
std::vector<Setup> FindSetups();

std::string SetupName(const Setup &setup);
void PrintTo(const Setup &setup, std::ostream *out);
void PrintTo(const Jdk &jdk, std::ostream *out);

/* Runfile returns the path of a file in the workspace, for example "agent/liborca.so". */
std::string Runfile(const std::string &path);

/* AgentFlag returns the flag of the JVM that loads the agent, or that of ORCA_AGENT with the
   further options of ORCA_AGENT_OPTIONS. `options` is "PREFIX,key=value", or
   "" for no options. */
std::string AgentFlag(const std::string &options);

/* JavaProgram returns the first words of a command that starts a JVM. They disable
   /tmp/hsperfdata_USER/PID: Bazel's sandboxes share /tmp, but have separate process ids, so two
   JVMs may use the same file. The second one would print a warning to stdout. */
std::vector<std::string> JavaProgram(const Jdk &jdk);

/* FlightRecorder returns the flags for a JFR recording with its repository in `folder`. The default
   repository is in /tmp and named by time and process id, so two sandboxes may use the same one. */
std::vector<std::string> FlightRecorder(const std::string &recording, const std::string &folder);

/* JavaCommand returns a command that runs a program of tests/workloads. `program` is its main class
   and its arguments. Unless the flags choose a collector or a heap, the JVM has one GC thread and a
   small heap, so that it starts and ends quickly beside others. */
std::vector<std::string> JavaCommand(const Jdk &jdk, const std::vector<std::string> &flags,
                                     const std::vector<std::string> &program);

/* IsSanitized returns whether the agent is built with a sanitizer: $ORCA_PRELOAD names the run-time
   library. */
bool IsSanitized();

/* JavaEnvironment returns the environment variables for such a command. The JVM preloads the
   run-time library of a sanitizer, since the JVM itself is built without it. The agent
   gives up later than for a user (agent/base/limit.h). */
std::map<std::string, std::string> JavaEnvironment();
