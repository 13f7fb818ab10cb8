#include "tests/e2e/session.h"

#include <ctype.h>

#include <filesystem>

#include "gtest/gtest.h"
#include "tests/e2e/text_file.h"

namespace {

constexpr double kToolSeconds = 60;

std::vector<std::string> Command(const Setup &setup, const Program &program,
                                 const std::string &prefix) {
  std::vector<std::string> flags = program.flags;
  flags.push_back(AgentFlag(prefix + ",engine=" + setup.engine + program.options));
  return JavaCommand(setup.jdk, flags, program.words);
}

/* Orca's own threads and classes are no part of the program. */
void ExpectNoOrca(const std::string &what, std::string name) {
  for (char &c : name) c = static_cast<char>(tolower(c));
  EXPECT_EQ(name.find("orca"), std::string::npos) << what << " " << name;
}

}  // namespace

Session::Session(const Setup &setup, const Program &program)
    : prefix_(scratch_.dir() + "/dump"),
      process_(std::make_unique<Process>(Command(setup, program, prefix_), JavaEnvironment(),
                                         scratch_.dir())) {}

void Session::Wait(double seconds) {
  result_ = process_->Wait(seconds);
  story_ = ReadStory(result_.out);
  dump_ = ReadDump(prefix_);
}

void Session::ExpectQuiet() const {
  EXPECT_FALSE(result_.timed_out);
  for (const std::string &output : {result_.out, result_.err}) {
    EXPECT_EQ(OrcaLines(output), std::vector<std::string>());
    EXPECT_EQ(output.find("WARNING in native method"), std::string::npos) << output;
    EXPECT_EQ(output.find("FATAL ERROR"), std::string::npos) << output;
  }
  for (const std::string &fault : dump_.faults) ADD_FAILURE() << prefix_ << fault;
  for (const Event &e : dump_.events) ExpectNoOrca("thread", e.name);
  for (const auto &[id, c] : dump_.classes) ExpectNoOrca("class", c.signature);
}

void Session::ExpectChecked() const {
  Result check = Orca("check");
  EXPECT_EQ(check.status, 0) << check.out.substr(0, 2000) << check.err.substr(0, 2000);
}

Result Session::Orca(const std::string &command) const {
  std::string dir = scratch_.dir() + "/" + command;
  std::filesystem::create_directory(dir);
  return RunProcess({Runfile("tools/orca"), command, prefix_}, {}, dir, kToolSeconds);
}

std::vector<std::string> OrcaLines(const std::string &output) {
  std::vector<std::string> lines;
  for (const std::string &line : WholeLines(output)) {
    if (line.rfind("orca: ", 0) == 0) lines.push_back(line);
  }
  return lines;
}
