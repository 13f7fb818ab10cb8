// Runs build_fuzz on each prefix of build events, and on changes of each byte.
#include <cstdint>
#include <string>

#include "gtest/gtest.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace {

const char kFile[] =
    R"({"id":{"targetConfigured":{"label":"//:b"}},"configured":{"testSize":"SMALL"}}
{"id":{"testResult":{"label":"//:\u00e9","run":1}},"testResult":{"testActionOutput":[{"name":"test.outputs","uri":"file:///a%20b"},{"name":"test.log"}]}}

{"id":{"progress":{}},"lastMessage":true})";

void Feed(const std::string &input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(input.data()), input.size());
}

TEST(BuildFuzz, AcceptsSeeds) { Feed(kFile); }

TEST(BuildFuzz, AcceptsEveryPrefix) {
  const std::string file = kFile;
  for (size_t len = 0; len <= file.size(); len++) Feed(file.substr(0, len));
}

TEST(BuildFuzz, AcceptsChangedBytes) {
  const std::string file = kFile;
  for (size_t at = 0; at < file.size(); at++) {
    for (char other : {'0', '"', ',', ':', '{', '}', '[', '\n', '\\', '\0', '\xff', '%', 'u'}) {
      std::string input = file;
      input[at] = other;
      Feed(input);
      Feed(input.erase(at, 1));
    }
  }
}

}  // namespace
