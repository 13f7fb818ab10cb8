#include "tests/e2e/calls.h"

#include <filesystem>
#include <fstream>
#include <utility>

#include "gtest/gtest.h"
#include "tests/e2e/session.h"
#include "tests/support/eventually.h"
#include "tests/support/text.h"

Calls::Calls() { std::filesystem::create_directory(folder()); }

std::string Calls::FormatOptions(const std::string &options) const {
  return prefix() + ",events=method,interval=0,track=faults.Calls.call" + options;
}

void Calls::Run(const Jdk &jdk, const std::string &agent, const std::string &preload,
                std::map<std::string, std::string> environment) {
  for (const auto &variable : JavaEnvironment()) environment.insert(variable);
  if (!preload.empty()) {
    std::string &value = environment["LD_PRELOAD"];
    value = value.empty() ? preload : value + ":" + preload;
  }
  std::vector<std::string> flags = flags_;
  flags.push_back(AgentFlag(agent));
  process_ = std::make_unique<Process>(
      JavaCommand(jdk, flags, {"faults.Calls", "2", "50", StopPath()}), environment, dir());
}

void Calls::AwaitBegin() {
  ASSERT_TRUE(process_->WaitForLine("begin", kPatienceSeconds)) << ReadFile(dir() + "/stderr");
}

void Calls::StartOnly(const Jdk &jdk, const std::string &options, const std::string &preload,
                      std::map<std::string, std::string> environment) {
  Run(jdk, FormatOptions(options), preload, std::move(environment));
}

void Calls::Start(const Jdk &jdk, const std::string &options, const std::string &preload,
                  std::map<std::string, std::string> environment) {
  StartOnly(jdk, options, preload, std::move(environment));
  AwaitBegin();
}

void Calls::StartLater(const Jdk &jdk, const std::string &preload,
                       std::map<std::string, std::string> environment) {
  Run(jdk, "start=later", preload, std::move(environment));
  AwaitBegin();
}

Result Calls::Attach(const std::string &options) {
  return RunOrca("attach", {FormatOptions(options)});
}

void Calls::Reset() {
  process_.reset();
  std::filesystem::remove_all(folder());
  std::filesystem::create_directory(folder());
  std::filesystem::remove(StopPath());
  std::filesystem::remove(StopPath() + ".begun");
}

uint64_t Calls::ReadBegun() const {
  std::string bytes = ReadFile(StopPath() + ".begun");
  uint64_t sum = 0;
  for (size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    uint64_t number = 0; /* big-endian */
    for (size_t i = 0; i < 8; i++) number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
    sum += number;
  }
  return sum;
}

uint64_t Calls::ReadNumber(const std::string &word) const {
  uint64_t number = 0;
  for (const std::string &line : SplitLines(ReadFile(dir() + "/stdout"))) {
    if (line.rfind(word + " ", 0) == 0) number = std::stoull(line.substr(word.size() + 1));
  }
  return number;
}

void Calls::ExpectRunning() const {
  for (int i = 0; i < 2; i++) { /* the next number may still be of the time before a fault */
    uint64_t before = ReadNumber("at");
    EXPECT_TRUE(Eventually([&] { return ReadNumber("at") > before; }));
  }
}

uint64_t Calls::End(double seconds) {
  std::ofstream(StopPath()) << "now\n";
  Result result = process_->Wait(seconds);
  EXPECT_EQ(result.status, 0) << "signal " << result.signal << "\n" << result.err;
  longest_ms_ = ReadNumber("longest");
  return ReadNumber("calls");
}

std::vector<std::string> Calls::ReadMessages() const {
  return FindOrcaLines(ReadFile(dir() + "/stderr"));
}

Result Calls::RunOrca(const std::string &command, const std::vector<std::string> &words) const {
  std::vector<std::string> all = {std::to_string(process_->pid())};
  all.insert(all.end(), words.begin(), words.end());
  std::string last = all.back();
  all.pop_back();
  return ::RunOrcaOn(command, all, last, dir());
}

Result Calls::RunOrcaOnFiles(const std::string &command) const {
  return ::RunOrcaOn(command, {}, prefix(), dir());
}

uint64_t ReadInfoNumber(const std::string &prefix, const std::string &key) {
  uint64_t number = 0;
  for (const std::string &line : SplitLines(ReadFile(prefix + ".info"))) {
    if (line.rfind(key + "=", 0) == 0) number = std::stoull(line.substr(key.size() + 1));
  }
  return number;
}

uint64_t CountExits(const std::string &lines) {
  const std::string exit = ",MethodExit,";
  uint64_t count = 0;
  for (size_t at = 0; (at = lines.find(exit, at)) != std::string::npos; at += exit.size()) count++;
  return count;
}
