// Runs zip_fuzz on a list, on each prefix of it, and on changes of each of its bytes.
#include <cstdint>
#include <string>

#include "gtest/gtest.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace {

const char kList[] =
    "Archive:  o.zip\n"
    "-rw-r--r--  3.0 unx        2 tx        2 stor 26-Nov-23 23:16 a/x y.0001.orca\n"
    "drwxr-xr-x  3.0 unx        0 bx        0 stor 26-Nov-23 23:16 sub/\n"
    "-rw-a--     2.0 fat        7 b-        2 stor 26-Nov-23 23:16 x.info\n"
    "2 files, 25 bytes uncompressed, 25 bytes compressed:  0.0%\n";

void Feed(const std::string &input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(input.data()), input.size());
}

TEST(ZipFuzz, AcceptsSeeds) { Feed(kList); }

TEST(ZipFuzz, AcceptsEveryPrefix) {
  const std::string list = kList;
  for (size_t len = 0; len <= list.size(); len++) Feed(list.substr(0, len));
}

TEST(ZipFuzz, AcceptsChangedBytes) {
  const std::string list = kList;
  for (size_t at = 0; at < list.size(); at++) {
    for (char other : {'0', '/', '.', ' ', '-', '\n', '\0', '\xff', 'T'}) {
      std::string input = list;
      input[at] = other;
      Feed(input);
    }
  }
}

TEST(ZipFuzz, AcceptsPathsThatLeadElsewhere) {
  for (const char *path : {"../x.orca", "/x.orca", "a/../x.orca", "a//x.orca", "..//x.info"}) {
    Feed(std::string("-rw-r--r--  3.0 unx 2 tx 2 stor 26-Nov-23 23:16 ") + path + "\n");
  }
}

}  // namespace
