#include "tests/support/jvm.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <set>
#include <sstream>

namespace fs = std::filesystem;

namespace {

std::string ReadVariable(const char *name) {
  const char *value = getenv(name);
  return value == nullptr ? "" : value;
}

std::vector<std::string> Split(const std::string &list) {
  std::vector<std::string> pieces;
  std::istringstream in(list);
  for (std::string piece; std::getline(in, piece, ':');) {
    if (!piece.empty()) pieces.push_back(piece);
  }
  return pieces;
}

std::vector<std::string> FindCandidates() {
  std::vector<std::string> homes = Split(ReadVariable("ORCA_JDKS"));
  if (!homes.empty()) return homes;
  homes = Split(ReadVariable("JAVA_HOME"));
  std::error_code none;
  for (const auto &entry : fs::directory_iterator("/usr/lib/jvm", none)) {
    homes.push_back(entry.path());
  }
  return homes;
}

bool IsJdk(const fs::path &home) {
  return access((home / "bin/java").c_str(), X_OK) == 0 &&
         (fs::exists(home / "lib/server/libjvm.so") ||
          fs::exists(home / "jre/lib/amd64/server/libjvm.so")); /* JDK 8 */
}

std::string ReadOutput(const std::string &command) {
  std::string out;
  FILE *pipe = popen(command.c_str(), "r");
  for (int c; pipe != nullptr && (c = fgetc(pipe)) != EOF;) {
    if (c != '\n') out.push_back(static_cast<char>(c));
  }
  if (pipe != nullptr) pclose(pipe);
  return out;
}

/* Parses "17.0.15", "25" or "1.8.0_392", and what follows. */
int ParseVersion(std::string version) {
  if (version.rfind("1.", 0) == 0) version.erase(0, 2);
  return atoi(version.c_str());
}

/* Reads JAVA_VERSION="17.0.15" from the file `release`. Debian's JDK 8 has no such file: then asks
 * its java, which prints: openjdk version "1.8.0_392". Returns 0 if the version is unknown. */
int ReadVersion(const fs::path &home) {
  const std::string key = "JAVA_VERSION=\"";
  std::ifstream release(home / "release");
  for (std::string line; std::getline(release, line);) {
    if (line.rfind(key, 0) == 0) return ParseVersion(line.substr(key.size()));
  }
  std::string answer = ReadOutput((home / "bin/java").string() + " -version 2>&1");
  size_t quote = answer.find('"');
  return quote == std::string::npos ? 0 : ParseVersion(answer.substr(quote + 1));
}

std::string MakeUniqueName(int version, std::set<std::string> *taken) {
  std::string name = "jdk" + std::to_string(version);
  for (int i = 2; !taken->insert(name).second; i++) {
    name = "jdk" + std::to_string(version) + "n" + std::to_string(i);
  }
  return name;
}

/* Whether one of the flags starts with the text. */
bool HasStart(const std::vector<std::string> &flags, const std::string &text) {
  return std::any_of(flags.begin(), flags.end(),
                     [&](const std::string &flag) { return flag.rfind(text, 0) == 0; });
}

}  // namespace

std::vector<Jdk> FindJdks() {
  std::vector<std::pair<int, std::string>> found;
  for (const std::string &candidate : FindCandidates()) {
    std::error_code error;
    fs::path home = fs::canonical(candidate, error);
    if (!error && IsJdk(home)) found.emplace_back(ReadVersion(home), home);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::vector<Jdk> jdks;
  std::set<std::string> taken;
  for (const auto &[version, home] : found) {
    jdks.push_back({home, version, MakeUniqueName(version, &taken)});
  }
  return jdks;
}

std::vector<Setup> FindSetups() {
  std::vector<std::string> engines = Split(ReadVariable("ORCA_ENGINES"));
  if (engines.empty()) engines = {"weave", "callbacks"};
  std::vector<Setup> setups;
  for (const Jdk &jdk : FindJdks()) {
    for (const std::string &engine : engines) setups.push_back({jdk, engine});
  }
  return setups;
}

std::string SetupName(const Setup &setup) { return setup.jdk.name + "_" + setup.engine; }

void PrintTo(const Setup &setup, std::ostream *out) {
  *out << setup.jdk.home << " with engine=" << setup.engine;
}

void PrintTo(const Jdk &jdk, std::ostream *out) { *out << jdk.home; }

std::string Runfile(const std::string &path) {
  std::string workspace = ReadVariable("TEST_WORKSPACE");
  return ReadVariable("TEST_SRCDIR") + "/" + (workspace.empty() ? "orca" : workspace) + "/" + path;
}

std::string AgentFlag(const std::string &options) {
  std::string agent = ReadVariable("ORCA_AGENT"), more = ReadVariable("ORCA_AGENT_OPTIONS");
  if (agent.empty()) agent = Runfile("agent/liborca.so");
  return "-agentpath:" + agent + (options.empty() ? "" : "=" + options + more);
}

std::vector<std::string> JavaProgram(const Jdk &jdk) {
  return {jdk.home + "/bin/java", "-XX:-UsePerfData"};
}

std::vector<std::string> FlightRecorder(const std::string &recording, const std::string &folder) {
  return {"-XX:StartFlightRecording=" + recording,
          "-XX:FlightRecorderOptions=repository=" + folder};
}

std::vector<std::string> JavaCommand(const Jdk &jdk, const std::vector<std::string> &flags,
                                     const std::vector<std::string> &program) {
  std::vector<std::string> command = JavaProgram(jdk);
  if (!HasStart(flags, "-XX:+Use")) command.push_back("-XX:+UseSerialGC");
  if (!HasStart(flags, "-Xmx")) command.push_back("-Xmx256m");
  command.insert(command.end(), flags.begin(), flags.end());
  command.insert(command.end(), {"-cp", Runfile("tests/workloads/workloads.jar")});
  command.insert(command.end(), program.begin(), program.end());
  return command;
}

bool IsSanitized() { return !ReadVariable("ORCA_PRELOAD").empty(); }

std::map<std::string, std::string> JavaEnvironment() {
  std::map<std::string, std::string> environment = {{"ORCA_LIMIT_SECONDS", "60"}};
  if (IsSanitized()) {
    std::string command = "cc -print-file-name=" + ReadVariable("ORCA_PRELOAD");
    environment["LD_PRELOAD"] = ReadOutput(command);
    environment["ASAN_OPTIONS"] = ReadVariable("ASAN_OPTIONS") + ":handle_segv=0:detect_leaks=0";
  }
  return environment;
}
