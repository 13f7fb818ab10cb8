#include "tests/e2e/phases.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "gtest/gtest.h"
#include "tests/e2e/compare.h"
#include "tests/e2e/session.h"
#include "tests/support/eventually.h"
#include "tests/support/setting.h"
#include "tests/support/text.h"

namespace {

/* Opens the pipe for reading and writing: then neither side blocks until the other opens it, and no
   write fails with SIGPIPE. */
int MakePipe(const std::string &path) {
  EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
  return open(path.c_str(), O_RDWR | O_CLOEXEC);
}

}  // namespace

Phases::Phases(const Jdk &jdk, std::vector<std::string> flags)
    : jdk_(jdk), pipe_(MakePipe(Prefix("orders"))) {
  flags.insert(flags.end(), {"-Xcheck:jni", "-Xverify:all"});
  process_ =
      std::make_unique<Process>(JavaCommand(jdk, flags, {"counted.Phases", Prefix("orders")}),
                                JavaEnvironment(), scratch_.dir());
  EXPECT_TRUE(process_->WaitForLine("done 0", kPatienceSeconds));
}

Phases::~Phases() {
  if (pipe_ >= 0) close(pipe_);
}

Story Phases::Run(const std::string &phase) {
  std::string order = phase + "\n";
  EXPECT_EQ(write(pipe_, order.data(), order.size()), static_cast<ssize_t>(order.size()));
  EXPECT_TRUE(process_->WaitForLine("done " + std::to_string(++done_), kPatienceSeconds))
      << ReadFile(Prefix("stderr"));
  std::string output = ReadFile(Prefix("stdout"));
  Story story = ReadStory(output.substr(read_));
  EXPECT_TRUE(story.complete);
  read_ = output.size();
  return story;
}

void Phases::End() {
  close(pipe_);
  pipe_ = -1;
  Result result = process_->Wait(kPatienceSeconds);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out.find("orca"), std::string::npos) << result.out;
  ExpectQuietOutput(result);
}

void Phases::Kill() {
  process_->Signal(SIGKILL);
  EXPECT_EQ(process_->Wait(kPatienceSeconds).signal, SIGKILL);
}

Result Phases::RunOrcaOn(const std::string &command, const std::vector<std::string> &words,
                         const std::string &prefix) const {
  return ::RunOrcaOn(command, words, prefix, scratch_.dir());
}

Result Phases::RunCommand(std::vector<std::string> command) const {
  std::filesystem::create_directory(Prefix("commands"));
  return RunProcess(command, {}, Prefix("commands"), kPatienceSeconds);
}

Result Phases::RunOrca(const std::string &command, const std::vector<std::string> &words) const {
  std::vector<std::string> all = {Runfile("tools/orca/orca"), command,
                                  std::to_string(process_->pid())};
  all.insert(all.end(), words.begin(), words.end());
  return RunCommand(all);
}

Result Phases::RunJcmd(const std::vector<std::string> &words) const {
  std::vector<std::string> all = {jdk_.home + "/bin/jcmd", std::to_string(process_->pid())};
  all.insert(all.end(), words.begin(), words.end());
  return RunCommand(all);
}

std::string Phases::Order(const std::string &command, const std::vector<std::string> &words) const {
  Result result = RunOrca(command, words);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  return result.out;
}

std::string Phases::TakeSnapshot() {
  std::string prefix = Prefix("snapshot" + std::to_string(++snapshots_));
  Order("snapshot", {prefix});
  return prefix;
}

Dump Phases::Record(const std::string &name) {
  Order("attach", {Prefix(name)});
  Story story = Run("calls");
  Order("stop");
  return ExpectDump(Prefix(name), story);
}

long Phases::RecordRounds(const std::function<long()> &measure) {
  const uint64_t warm_up = 5, rounds = std::max(ReadSetting("ORCA_ATTACH_ROUNDS", 20), warm_up);
  long measured = 0;
  for (uint64_t i = 1; i <= rounds && !testing::Test::HasFailure(); i++) {
    Record("round" + std::to_string(i));
    if (i == warm_up) measured = measure();
  }
  return measured;
}

Dump Phases::ExpectDump(const std::string &prefix, const Story &story) const {
  SCOPED_TRACE(prefix);
  Dump dump = ReadDump(prefix);
  ExpectSame(story, dump);
  ExpectNoFaults(dump, prefix);
  ExpectAccepted(prefix, scratch_.dir());
  return dump;
}

/* Whether the JVM's thread for attaching sleeps. */
bool Phases::IsListening() const {
  for (const auto &task : std::filesystem::directory_iterator(GetProcPath(pid(), "task"))) {
    std::string stat = ReadFile(task.path() / "stat");
    if (stat.find("(Attach Listener) S ") != std::string::npos) return true;
  }
  return false;
}

/* After an answer, the JVM's listener calls accept for the next connection. If that finds no
   descriptor, the listener ends, and nobody can attach any more. So this waits until it sleeps in
   accept. */
void Phases::LimitFiles(long number) {
  int seen = 0;
  EXPECT_TRUE(Eventually([&] { return (seen = IsListening() ? seen + 1 : 0) == 50; }));
  struct rlimit limit;
  EXPECT_EQ(prlimit(process_->pid(), RLIMIT_NOFILE, nullptr, &limit), 0);
  limit.rlim_cur = number == 0 ? limit.rlim_max : static_cast<rlim_t>(number);
  EXPECT_EQ(prlimit(process_->pid(), RLIMIT_NOFILE, &limit, nullptr), 0);
}

bool Phases::HasAgent() const {
  return ReadFile(GetProcPath(pid(), "maps")).find("/liborca.so") != std::string::npos;
}
