// Reads arbitrary bytes as a digest, and compares it with itself and with budgets. No command may
// crash, and a refusal is one line.
#include "tools/orca/digest/digest.h"  // before <fcntl.h>, which has a macro LOCK_READ_SIDE

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "tests/fuzz/input.h"
#include "tools/orca/cmd/commands.h"

namespace {

void Require(bool condition, const char *failure) {
  if (condition) return;
  fprintf(stderr, "%s\n", failure);
  abort();
}

// Returns whether the bytes are a digest.
bool Parse(struct span input) {
  struct digest_file file = {};
  struct builder why = {};
  bool is_good = digest_parse(input, &file, &why);
  if (!is_good) {
    Require(why.len > 0, "a refusal has no reason");
    Require(memchr(why.data, '\n', why.len) == nullptr, "a reason has several lines");
  }
  digest_file_free(&file);
  builder_free(&why);
  return is_good;
}

void RunCommand(std::vector<std::string> words) {
  std::vector<char *> argv;
  for (std::string &word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  int status =
      commands_run(commands_find(words[0].c_str()), static_cast<int>(words.size()), argv.data());
  Require(status >= 0 && status <= 3, "a command has another exit status");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const struct span input = {size == 0 ? "" : reinterpret_cast<const char *>(data), size};
  const std::string name = InputPrefix() + dump_suffixes[DUMP_INFO];
  if (!Parse(input)) return 0;
  WriteInputFile(name, input.data, input.len);
  RunCommand({"diff", name, name, "--fail-on=lock+1%", "--fail-on=cpu+1%"});
  RunCommand({"diff", name, name, "--format=json"});
  RunCommand({"budget", "/dev/null", name});
  return 0;
}
