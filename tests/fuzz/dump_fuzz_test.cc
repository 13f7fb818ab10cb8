// Runs dump_fuzz on valid dumps, on prefixes of one, and on changes of its bytes.
#include <cstdint>
#include <string>

#include "tests/fuzz/recordings.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace {

void Feed(const std::string &input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(input.data()), input.size());
}

std::string MakeValidInput() {
  DumpFiles files;
  WriteGoodDump(&files);
  return JoinFiles(files);
}

TEST(DumpFuzz, AcceptsNoInput) { Feed(""); }

TEST(DumpFuzz, AcceptsSeeds) {
  for (const std::string &recording : MakeValidInputs()) Feed(recording);
}

TEST(DumpFuzz, AcceptsBinaryData) { Feed(std::string("\0\n\xFF\xFE\n\x80", 6)); }

TEST(DumpFuzz, AcceptsPrefixes) {
  std::string valid = MakeValidInput();
  for (size_t len = 0; len <= valid.size(); len += 5) Feed(valid.substr(0, len));
}

TEST(DumpFuzz, AcceptsChangedBytes) {
  const std::string valid = MakeValidInput();
  const char others[] = {'0', ',', ';', '\n', '\0', '\xFF'};
  for (size_t at = 0; at < valid.size(); at += 3) {
    std::string input = valid;
    input[at] = others[at % sizeof others];
    Feed(input);
  }
}

}  // namespace
