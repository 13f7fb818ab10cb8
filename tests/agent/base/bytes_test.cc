#include "agent/base/bytes.h"

#include <cinttypes>
#include <cstring>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/bytes.h"

namespace {

std::vector<std::string> CutAll(const char *text, char separator) {
  std::vector<std::string> pieces;
  struct span rest = Span(text), piece;
  while (span_cut(&rest, separator, &piece)) pieces.push_back(Text(piece));
  return pieces;
}

using Pieces = std::vector<std::string>;

TEST(SpanIs, ComparesAllBytes) {
  EXPECT_TRUE(span_is(Span("wait"), "wait"));
  EXPECT_TRUE(span_is({"waited", 4}, "wait"));
  EXPECT_TRUE(span_is({nullptr, 0}, ""));
  EXPECT_FALSE(span_is(Span("wait"), "waited"));
  EXPECT_FALSE(span_is(Span("waited"), "wait"));
  EXPECT_FALSE(span_is({"wa\0t", 4}, "wa"));
}

TEST(Span, ComparesWholeStartAndEnd) {
  EXPECT_TRUE(span_same(Span("wait"), {"waited", 4}));
  EXPECT_TRUE(span_same({nullptr, 0}, Span("")));
  EXPECT_FALSE(span_same(Span("wait"), Span("waits")));
  EXPECT_FALSE(span_same(Span("wait"), Span("went")));
  EXPECT_TRUE(span_starts(Span("wait"), "wa"));
  EXPECT_TRUE(span_starts(Span("wait"), "wait"));
  EXPECT_TRUE(span_starts({nullptr, 0}, ""));
  EXPECT_FALSE(span_starts(Span("wa"), "wait"));
  EXPECT_FALSE(span_starts(Span("await"), "wa"));
  EXPECT_TRUE(span_ends(Span("wait"), "it"));
  EXPECT_TRUE(span_ends(Span("wait"), ""));
  EXPECT_TRUE(span_ends({nullptr, 0}, ""));
  EXPECT_FALSE(span_ends(Span("it"), "wait"));
  EXPECT_FALSE(span_ends(Span("waits"), "it"));
}

TEST(SpanCopy, CopiesExactlyTheBytes) {
  // AddressSanitizer reports a read after the two bytes.
  char *bytes = static_cast<char *>(malloc(2));
  memcpy(bytes, "ab", 2);
  char *copy = span_copy({bytes, 2}), *empty = span_copy({nullptr, 0});
  EXPECT_STREQ(copy, "ab");
  EXPECT_STREQ(empty, "");
  free(bytes);
  free(copy);
  free(empty);
}

TEST(SpanCut, ReturnsEveryPieceAlsoEmptyOnes) {
  EXPECT_EQ(CutAll("a,bc,d", ','), (Pieces{"a", "bc", "d"}));
  EXPECT_EQ(CutAll(",,", ','), (Pieces{"", "", ""}));
  EXPECT_EQ(CutAll("a,", ','), (Pieces{"a", ""}));
  EXPECT_EQ(CutAll("a;b", ','), (Pieces{"a;b"}));
}

TEST(SpanCut, EmptySpanHasOnePieceAndNullSpanHasNone) {
  EXPECT_EQ(CutAll("", ','), (Pieces{""}));
  struct span nothing = {nullptr, 0}, piece = Span("untouched");
  EXPECT_FALSE(span_cut(&nothing, ',', &piece));
  EXPECT_EQ(Text(piece), "untouched");
}

TEST(SpanCut, StaysInsideTheSpan) {
  struct span rest = {"ab,c", 2}, piece;
  EXPECT_TRUE(span_cut(&rest, ',', &piece));
  EXPECT_EQ(Text(piece), "ab");
  EXPECT_EQ(rest.data, nullptr);
}

TEST(Builder, AppendsInOrder) {
  struct builder b = {};
  builder_string(&b, "one");
  builder_char(&b, ',');
  builder_bytes(&b, "t\0o", 3);
  builder_string(&b, "");
  builder_bytes(&b, nullptr, 0);
  EXPECT_FALSE(b.failed);
  EXPECT_EQ(TakeText(&b), std::string("one,t\0o", 7));
}

TEST(Builder, FormatsEachConversion) {
  struct builder b = {};
  builder_format(&b, "%s|%.*s|%.3s|%c|%%", "text", 2, "abcdef", "uvwxyz", 'x');
  EXPECT_EQ(TakeText(&b), "text|ab|uvw|x|%");
  builder_format(&b, "%d|%u|%zu|%" PRIu64 "|%" PRId64, -7, 7u, SIZE_MAX, UINT64_MAX, INT64_MIN);
  EXPECT_EQ(TakeText(&b), "-7|7|18446744073709551615|18446744073709551615|-9223372036854775808");
  builder_format(&b, "%04u|%08X|%09" PRIu64, 12u, 0xA1u, UINT64_C(345));
  EXPECT_EQ(TakeText(&b), "0012|000000A1|000000345");
  builder_format(&b, "%.2f|%+.2f|%.1f|%.*f", 1.006, 0.25, -3.14, 0, 2.7);
  EXPECT_EQ(TakeText(&b), "1.01|+0.25|-3.1|3");
}

TEST(Builder, FormatAppends) {
  struct builder b = {};
  builder_format(&b, "%s", "");
  EXPECT_EQ(b.len, 0u);
  builder_string(&b, "one,");
  builder_format(&b, "%s,%d", "two", 3);
  builder_string(&b, ",four");
  EXPECT_EQ(TakeText(&b), "one,two,3,four");
}

TEST(Builder, FormatGrowsTheBuilder) {
  struct builder b = {};
  std::string expected, word(100, 'w');
  for (size_t len = 0; len < 1000; len++) {
    std::string text(len, 'x');
    builder_format(&b, "%s-%s", text.c_str(), word.c_str());
    expected += text + "-" + word;
    ASSERT_LE(b.len, b.capacity);
  }
  EXPECT_EQ(TakeText(&b), expected);
}

TEST(Builder, FormatAppendsNothingAfterAFailure) {
  struct builder b = {};
  builder_string(&b, "kept");
  EXPECT_EQ(builder_room(&b, SIZE_MAX), nullptr);
  builder_format(&b, "%s", "x");
  EXPECT_EQ(Text({b.data, b.len}), "kept");
  builder_free(&b);
}

TEST(Builder, KeepsItsBytesWhenItGrows) {
  struct builder b = {};
  std::string expected;
  for (int i = 0; i < 10000; i++) {
    builder_char(&b, static_cast<char>('a' + i % 26));
    expected += static_cast<char>('a' + i % 26);
    ASSERT_LE(b.len, b.capacity);
  }
  std::string large(1 << 20, 'x');
  builder_bytes(&b, large.data(), large.size());
  EXPECT_EQ(TakeText(&b), expected + large);
}

TEST(Builder, RoomPointsToTheNextBytes) {
  struct builder b = {};
  builder_string(&b, "ab");
  char *room = builder_room(&b, 1000);
  ASSERT_NE(room, nullptr);
  EXPECT_GE(b.capacity, 1002u);
  EXPECT_EQ(b.len, 2u);  // the caller advances it
  memset(room, 'c', 1000);
  b.len += 1000;
  EXPECT_EQ(TakeText(&b), "ab" + std::string(1000, 'c'));
}

TEST(Builder, StaysFailedAfterAnImpossibleSize) {
  for (size_t n : {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2 + 2, SIZE_MAX / 2}) {
    struct builder b = {};
    builder_string(&b, "kept");
    EXPECT_EQ(builder_room(&b, n), nullptr) << n;
    EXPECT_TRUE(b.failed);
    EXPECT_EQ(builder_room(&b, 1), nullptr);
    builder_string(&b, "not added");
    builder_char(&b, 'x');
    EXPECT_EQ(Text({b.data, b.len}), "kept");
    builder_free(&b);
  }
}

TEST(Builder, IsEmptyAgainAfterFree) {
  struct builder b = {};
  EXPECT_EQ(builder_room(&b, SIZE_MAX), nullptr);
  builder_free(&b);
  EXPECT_EQ(b.data, nullptr);
  EXPECT_FALSE(b.failed);
  builder_string(&b, "again");
  EXPECT_EQ(TakeText(&b), "again");
}

}  // namespace
