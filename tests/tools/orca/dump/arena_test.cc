#include "tools/orca/dump/arena.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace {

TEST(Arena, ReturnsAlignedZeroedSeparatePieces) {
  struct arena a = {};
  std::vector<char *> pieces;
  for (size_t n = 1; n < 2000; n += 7) {
    char *piece = static_cast<char *>(arena_take(&a, n));
    ASSERT_NE(piece, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(piece) % alignof(max_align_t), 0u);
    for (size_t i = 0; i < n; i++) ASSERT_EQ(piece[i], 0);
    memset(piece, static_cast<int>(pieces.size() % 255) + 1, n);
    pieces.push_back(piece);
  }
  for (size_t i = 0; i < pieces.size(); i++) {
    EXPECT_EQ(static_cast<unsigned char>(*pieces[i]), i % 255 + 1);
  }
  arena_free(&a);
}

TEST(Arena, KeepsATextLargerThanAChunk) {
  struct arena a = {};
  arena_take(&a, 10);
  std::string large(1 << 20, 'x');
  struct span kept = arena_keep(&a, {large.data(), large.size()});
  EXPECT_EQ(std::string(kept.data, kept.len), large);
  EXPECT_NE(arena_take(&a, 10), nullptr);
  arena_free(&a);
}

TEST(Arena, KeepsAnEmptySpan) {
  struct arena a = {};
  struct span kept = arena_keep(&a, {nullptr, 0});
  EXPECT_NE(kept.data, nullptr);
  EXPECT_EQ(kept.len, 0u);
  arena_free(&a);
}

TEST(Arena, RefusesImpossibleSizes) {
  struct arena a = {};
  EXPECT_EQ(arena_take(&a, SIZE_MAX), nullptr);
  EXPECT_EQ(arena_take(&a, SIZE_MAX / 2 + 1), nullptr);
  arena_free(&a);
}

}  // namespace
