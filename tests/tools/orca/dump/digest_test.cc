#include "tools/orca/dump/digest.h"

#include <set>
#include <string>

#include "gtest/gtest.h"

namespace {

uint64_t HashText(const std::string &text) { return digest({text.data(), text.size()}); }

TEST(Digest, IsTheSameForNullAndForAnEmptyText) { EXPECT_EQ(digest({nullptr, 0}), HashText("")); }

// For lengths on both sides of the block sizes 16 and 32: each byte and its position matter.
TEST(Digest, DependsOnEachByte) {
  std::set<uint64_t> seen;
  size_t num = 0;
  for (size_t len = 0; len < 100; len++) {
    std::string text(len, 'a');
    seen.insert(HashText(text));
    num++;
    for (size_t i = 0; i < len; i++) {
      text[i] = 'b';
      seen.insert(HashText(text));
      text[i] = '\0';
      seen.insert(HashText(text));
      text[i] = 'a';
      num += 2;
    }
  }
  EXPECT_EQ(seen.size(), num);
}

TEST(Digest, DiffersForSimilarTexts) {
  std::set<uint64_t> seen;
  for (int i = 0; i < 100000; i++) seen.insert(HashText("2;0000001D;" + std::to_string(i)));
  EXPECT_EQ(seen.size(), 100000u);
}

// The two words of a block, and the blocks of both chains, cannot be exchanged.
TEST(Digest, DependsOnTheOrderOfBlocks) {
  const std::string a(16, 'a'), b(16, 'b');
  EXPECT_NE(HashText(a + b), HashText(b + a));
  EXPECT_NE(HashText(a + a + b + b), HashText(a + b + b + a));
  EXPECT_NE(HashText("aaaaaaaabbbbbbbb"), HashText("bbbbbbbbaaaaaaaa"));
}

}  // namespace
