#include "tests/e2e/session.h"

#include <ctype.h>

#include <filesystem>

#include "gtest/gtest.h"
#include "tests/support/text.h"

namespace {

std::vector<std::string> MakeCommand(const Setup &setup, const Program &program,
                                     const std::string &prefix) {
  std::vector<std::string> flags = program.flags;
  flags.push_back(AgentFlag(prefix + ",engine=" + setup.engine + program.options));
  return JavaCommand(setup.jdk, flags, program.words);
}

std::map<std::string, std::string> MakeEnvironment(const Program &program) {
  std::map<std::string, std::string> environment = JavaEnvironment();
  if (!program.walk.empty()) environment["ORCA_WALK"] = program.walk;
  return environment;
}

/* The dump must not contain Orca's own threads and classes. */
void ExpectNoOrca(const std::string &kind, std::string name) {
  for (char &c : name) c = static_cast<char>(tolower(c));
  EXPECT_EQ(name.find("orca"), std::string::npos) << kind << " " << name;
}

}  // namespace

Result RunOrcaOn(const std::string &command, const std::vector<std::string> &words,
                 const std::string &prefix, const std::string &dir, double seconds) {
  std::string own = dir + "/" + command;
  std::filesystem::create_directory(own);
  std::vector<std::string> line = {Runfile("tools/orca/orca"), command};
  line.insert(line.end(), words.begin(), words.end());
  line.push_back(prefix);
  return RunProcess(line, {}, own, seconds);
}

Session::Session(const Setup &setup, const Program &program)
    : prefix_(scratch_.dir() + "/dump"),
      engine_(setup.engine),
      process_(std::make_unique<Process>(MakeCommand(setup, program, prefix_),
                                         MakeEnvironment(program), scratch_.dir())) {}

void Session::WaitOnly(double seconds) {
  result_ = process_->Wait(seconds);
  story_ = ReadStory(result_.out);
}

void Session::Wait(double seconds) {
  WaitOnly(seconds);
  dump_ = ReadDump(prefix_);
}

/* -Xcheck:jni warns of local references that nobody deleted. JDK 11 itself leaves one
   for each returned object that it tells to engine=callbacks. */
void Session::ExpectQuiet() const {
  ExpectQuietOutput(result_);
  if (engine_ == "weave") {
    EXPECT_EQ((result_.out + result_.err).find("WARNING: JNI local refs"), std::string::npos)
        << result_.out;
  }
  ExpectNoFaults(dump_, prefix_);
}

void Session::ExpectChecked(double seconds) const {
  ExpectAccepted(prefix_, scratch_.dir(), seconds);
}

Result Session::RunOrca(const std::string &command, const std::vector<std::string> &words,
                        double seconds) const {
  return RunOrcaOn(command, words, prefix_, scratch_.dir(), seconds);
}

std::string SkipLauncher(const std::string &output) {
  const std::string line =
      "WARNING in native method: JNI call made without checking exceptions when required to from "
      "CallStaticObjectMethod\n";
  size_t at = 0;
  while (output.compare(at, line.size(), line) == 0) at += line.size();
  return output.substr(at);
}

void ExpectQuietOutput(const Result &result) {
  EXPECT_FALSE(result.timed_out);
  for (const std::string &output : {SkipLauncher(result.out), SkipLauncher(result.err)}) {
    EXPECT_EQ(FindOrcaLines(output), std::vector<std::string>());
    EXPECT_EQ(output.find("WARNING in native method"), std::string::npos) << output;
    EXPECT_EQ(output.find("FATAL ERROR"), std::string::npos) << output;
  }
}

void ExpectNoFaults(const Dump &dump, const std::string &prefix) {
  for (const std::string &fault : dump.faults) {
    ADD_FAILURE() << "the recording has a fault: " << prefix << fault;
  }
  for (const Event &e : dump.events) ExpectNoOrca("thread", e.name);
  for (const auto &[id, c] : dump.classes) ExpectNoOrca("class", c.signature);
}

void ExpectAccepted(const std::string &prefix, const std::string &dir, double seconds) {
  Result check = RunOrcaOn("check", {}, prefix, dir, seconds);
  EXPECT_EQ(check.status, 0) << "orca check finds faults:\n"
                             << check.out.substr(0, 2000) << check.err.substr(0, 2000);
}

std::vector<std::string> FindOrcaLines(const std::string &output) {
  std::vector<std::string> lines;
  for (const std::string &line : SplitLines(output)) {
    if (line.rfind("orca: ", 0) == 0) lines.push_back(line);
  }
  return lines;
}
