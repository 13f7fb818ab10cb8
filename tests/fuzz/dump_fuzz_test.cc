// Replays inputs of dump_fuzz: a good dump, every cut of it, and every one of its bytes changed.
#include <cstdint>
#include <string>

#include "tests/support/dump_files.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace {

void Feed(const std::string &input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(input.data()), input.size());
}

std::string GoodDump() {
  DumpFiles files;
  WriteGoodDump(&files);
  std::string input;
  for (int file = 0; file < NUM_DUMP_FILES; file++) {
    input += files.Text(static_cast<enum dump_file>(file)) + '\xFF';
  }
  return input;
}

TEST(DumpFuzz, Empty) { Feed(""); }

TEST(DumpFuzz, NoText) { Feed(std::string("\0\n\xFF\xFE\n\x80", 6)); }

TEST(DumpFuzz, EveryCut) {
  std::string good = GoodDump();
  for (size_t len = 0; len <= good.size(); len += 5) Feed(good.substr(0, len));
}

TEST(DumpFuzz, EveryByteChanged) {
  const std::string good = GoodDump();
  const char others[] = {'0', ',', ';', '\n', '\0', '\xFF'};
  for (size_t at = 0; at < good.size(); at += 3) {
    std::string input = good;
    input[at] = others[at % sizeof others];
    Feed(input);
  }
}

}  // namespace
