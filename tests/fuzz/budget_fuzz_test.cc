// Runs budget_fuzz on each kind of line, on each prefix of the file, and on changes of each byte.
#include <cstdint>
#include <string>

#include "gtest/gtest.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace {

const char kFile[] =
    "# header\n\n"
    "lost = 3\n"
    "# a comment\n"
    "order: a at b > c at d\n"
    "value: \xc3\xa9 at b\n"
    "unheard = 10\n"
    "blocked = 12.5%\n"
    "lock: * = 20 waits, longest 1.5ms\r\n"
    "lock: a = b = 1 waits, longest 0\n"
    "# footer";

void Feed(const std::string &input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(input.data()), input.size());
}

TEST(BudgetFuzz, AcceptsSeeds) { Feed(kFile); }

TEST(BudgetFuzz, AcceptsEveryPrefix) {
  const std::string file = kFile;
  for (size_t len = 0; len <= file.size(); len++) Feed(file.substr(0, len));
}

TEST(BudgetFuzz, AcceptsChangedBytes) {
  const std::string file = kFile;
  for (size_t at = 0; at < file.size(); at++) {
    for (char other : {'0', '9', ',', ':', '=', '#', ' ', '\n', '\r', '\0', '\xff', '%', '*'}) {
      std::string input = file;
      input[at] = other;
      Feed(input);
      Feed(input.erase(at, 1));
    }
  }
}

}  // namespace
