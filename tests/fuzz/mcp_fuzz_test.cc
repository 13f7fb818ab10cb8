// Runs mcp_fuzz on messages, on each prefix of them, and on changes of each of their bytes.
#include <cstdint>
#include <string>

#include "gtest/gtest.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace {

const char *const kMessages[] = {
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}})",
    R"({"jsonrpc":"2.0","id":"a","method":"tools/list"})",
    R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
    (R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"hot",)"
     R"("arguments":{"recording":"-x","thread":"a\u00e9","tree":true,"top":3,"max_bytes":800}}})"),
};

void Feed(const std::string &input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(input.data()), input.size());
}

TEST(McpFuzz, AcceptsSeeds) {
  for (const std::string message : kMessages) Feed(message);
}

TEST(McpFuzz, AcceptsEveryPrefix) {
  for (const std::string message : kMessages) {
    for (size_t len = 0; len <= message.size(); len++) Feed(message.substr(0, len));
  }
}

TEST(McpFuzz, AcceptsChangedBytes) {
  for (const std::string message : kMessages) {
    for (size_t at = 0; at < message.size(); at++) {
      for (char other : {'0', '"', ',', '{', '[', '\\', '-', '\0', '\xff'}) {
        std::string input = message;
        input[at] = other;
        Feed(input);
      }
    }
  }
}

}  // namespace
