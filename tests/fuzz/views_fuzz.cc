// Runs a command of `orca` on arbitrary bytes as the files of a dump. The first byte selects the
// command line. No command may crash. Each must return 0 or 1, 2 if it does not apply to the dump,
// or 3 if a budget is broken.
#include <time.h>

#include <cstdint>
#include <sstream>
#include <vector>

#include "tests/fuzz/command_lines.h"
#include "tests/fuzz/input.h"

// The linker takes it for nanosleep: nobody writes the recording, so to wait for more is no use.
extern "C" int __wrap_nanosleep(const struct timespec *, struct timespec *);
extern "C" int __wrap_nanosleep(const struct timespec *, struct timespec *) { return 0; }

namespace {

// Replaces what names the recording. The operands of commands.def are words such as PREFIX|PID, and
// [PREFIX].
std::string FillIn(std::string word) {
  size_t at = word.find('@');
  if (at != std::string::npos) return word.replace(at, 1, InputPrefix());
  if (word.find("PREFIX") != std::string::npos) return InputPrefix();
  if (word == "FILE") return "/dev/null";
  return word == "NAME" ? InputPrefix() + ".name" : word;
}

std::vector<std::string> SplitWords(const CommandLine &line) {
  std::vector<std::string> words = {commands[line.command].name};
  std::istringstream in(line.words);
  for (std::string word; in >> word;) words.push_back(FillIn(word));
  return words;
}

// What `orca collect` reads: a test whose outputs are the folder of the recording.
void WriteBuildEvents() {
  std::string folder = InputPrefix().substr(0, InputPrefix().rfind('/'));
  std::string events = R"({"id":{"testResult":{"label":"//:a"}},"testResult":{"testActionOutput":)"
                       R"([{"name":"test.outputs","uri":"file://)" +
                       folder + "\"}]}}\n";
  WriteInputFile(InputPrefix() + ".json", events.data(), events.size());
}

// Commands without a recording start programs, talk to an agent, or run others, as orca mcp does.
bool HasRecording(const CommandLine &line) {
  const std::string words = line.words;
  return words.find('@') != std::string::npos ||
         (words.find("PREFIX") != std::string::npos && words.find("PID") != 0);
}

void RunCommand(const CommandLine &line) {
  std::vector<std::string> words = SplitWords(line);
  std::vector<char *> argv;
  for (std::string &word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  int argc = static_cast<int>(words.size());
  int status = commands_run(&commands[line.command], argc, argv.data());
  if (status < 0 || status > 3) abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  const CommandLine &line = kCommandLines[data[0] % kNumCommandLines];
  WriteInput({reinterpret_cast<const char *>(data + 1), size - 1});
  if (line.command == COMMAND_collect) WriteBuildEvents();
  if (HasRecording(line)) RunCommand(line);
  RemoveOtherFiles();
  return 0;
}
