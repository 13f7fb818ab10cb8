#pragma once
/* The JDKs of this machine and how to start a program on one of them under the agent. */
#include <map>
#include <string>
#include <vector>

struct Jdk {
  std::string home;
  int version;      /* 8, 17, 25 */
  std::string name; /* "jdk17"; different for each, fit for the name of a test */
};

/* FindJdks gives every JDK that can run the agent: those of $ORCA_JDKS (folders, separated by ':')
   if it is set, else $JAVA_HOME and all of /usr/lib/jvm. Each stands once. */
std::vector<Jdk> FindJdks();

/* A JDK and the engine that the agent is to use in it. */
struct Setup {
  Jdk jdk;
  std::string engine;
};

/* Every JDK with every engine. $ORCA_ENGINES ("callbacks:weave") narrows the engines down. */
std::vector<Setup> FindSetups();

std::string SetupName(const Setup &setup);
void PrintTo(const Setup &setup, std::ostream *out);
void PrintTo(const Jdk &jdk, std::ostream *out);

/* Runfile gives the place of a file of the workspace, such as "agent/liborca.so". */
std::string Runfile(const std::string &path);

/* AgentFlag loads the agent with these options: "PREFIX,key=value", or "" for none at all. */
std::string AgentFlag(const std::string &options);

/* JavaProgram begins a command that starts a JVM. Sandboxes of Bazel have one /tmp, but each its
   own process ids: a JVM says on stdout that another one has its /tmp/hsperfdata_USER/PID. So it
   has none. */
std::vector<std::string> JavaProgram(const Jdk &jdk);

/* FlightRecorder has the flags for a recording with JFR. Its chunks would lie in a folder of /tmp
   that is named by the time and the process id, too. */
std::vector<std::string> FlightRecorder(const std::string &recording, const std::string &folder);

/* JavaCommand starts a program of tests/workloads: its main class and its arguments. */
std::vector<std::string> JavaCommand(const Jdk &jdk, const std::vector<std::string> &flags,
                                     const std::vector<std::string> &program);

/* JavaEnvironment is what such a command needs: with $ORCA_PRELOAD, the run-time library of a
   sanitizer, as the JVM itself is not built with one. */
std::map<std::string, std::string> JavaEnvironment();
