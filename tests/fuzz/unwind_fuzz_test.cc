// Runs unwind_fuzz on an empty input and on random inputs, which are the seeds.
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace {

TEST(UnwindFuzz, AcceptsNoInput) { LLVMFuzzerTestOneInput(nullptr, 0); }

TEST(UnwindFuzz, AcceptsSeeds) {
  uint64_t random = 88172645463325252;
  for (int i = 0; i < 3000; i++) {
    std::vector<uint8_t> input(static_cast<size_t>(20 + i % 700));
    for (uint8_t &byte : input) {
      random ^= random << 13, random ^= random >> 7, random ^= random << 17;
      byte = static_cast<uint8_t>(random);
    }
    LLVMFuzzerTestOneInput(input.data(), input.size());
  }
}

}  // namespace
