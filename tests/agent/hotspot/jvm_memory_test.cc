#include "agent/hotspot/jvm_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include "gtest/gtest.h"

namespace {

TEST(JvmMemory, ReadsMappedMemory) {
  uint64_t memory[2] = {0x0123456789ABCDEF, 42}, copy[2] = {};
  auto at = reinterpret_cast<uintptr_t>(memory);
  ASSERT_TRUE(jvm_memory_read(at, copy, sizeof copy));
  EXPECT_EQ(copy[0], memory[0]);
  EXPECT_EQ(copy[1], memory[1]);
  EXPECT_EQ(jvm_memory_word(at), memory[0]);
  EXPECT_EQ(jvm_memory_int(at), static_cast<int32_t>(0x89ABCDEF));
  EXPECT_EQ(jvm_memory_short(at), 0xCDEF);
}

TEST(JvmMemory, RefusesUnmappedMemory) {
  auto size = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  auto *pages = static_cast<uint8_t *>(
      mmap(nullptr, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(pages, MAP_FAILED);
  ASSERT_EQ(mprotect(pages + size, size, PROT_NONE), 0);
  auto end = reinterpret_cast<uintptr_t>(pages) + size;
  uint64_t word;
  EXPECT_TRUE(jvm_memory_read(end - 8, &word, 8));
  EXPECT_FALSE(jvm_memory_read(end - 4, &word, 8));
  EXPECT_FALSE(jvm_memory_read(end, &word, 8));
  EXPECT_FALSE(jvm_memory_read(0, &word, 8));
  EXPECT_FALSE(jvm_memory_read(UINTPTR_MAX - 3, &word, 8));
  EXPECT_EQ(jvm_memory_word(end), 0u);
  EXPECT_EQ(jvm_memory_int(8), 0);
  EXPECT_EQ(jvm_memory_short(end), 0);
  munmap(pages, 2 * size);
}

}  // namespace
