#include "agent/classfile/big_endian.h"

#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"

namespace {

TEST(Cursor, TakesNumbersMostSignificantByteFirst) {
  std::string bytes = Bytes({0x81, 0x82, 0x83, 0xF4, 0xF3, 0xF2, 0xF1});
  struct cursor c = cursor_over(MakeSpan(bytes));
  EXPECT_EQ(take_u1(&c), 0x81u);
  EXPECT_EQ(take_u2(&c), 0x8283u);
  EXPECT_FALSE(cursor_is_done(&c));
  EXPECT_EQ(take_u4(&c), 0xF4F3F2F1u);
  EXPECT_TRUE(cursor_is_done(&c));
}

TEST(Cursor, TakesSpans) {
  std::string bytes = "abcdef";
  struct cursor c = cursor_over(MakeSpan(bytes));
  EXPECT_EQ(MakeText(take_span(&c, 4)), "abcd");
  EXPECT_EQ(MakeText(take_span(&c, 0)), "");
  EXPECT_EQ(MakeText(take_span(&c, 2)), "ef");
  EXPECT_TRUE(cursor_is_done(&c));
}

TEST(Cursor, FailsForeverAfterAReadPastTheEnd) {
  std::string bytes = "abc";
  for (size_t n : {size_t{4}, SIZE_MAX, SIZE_MAX - 1}) {
    struct cursor c = cursor_over(MakeSpan(bytes));
    take_u1(&c);
    EXPECT_EQ(take_span(&c, n).data, nullptr);
    EXPECT_TRUE(c.failed);
    EXPECT_EQ(take_u1(&c), 0u);
    EXPECT_EQ(take_u2(&c), 0u);
    EXPECT_EQ(take_u4(&c), 0u);
    EXPECT_EQ(take_span(&c, 0).data, nullptr);
    EXPECT_FALSE(cursor_is_done(&c));
  }
}

TEST(Cursor, FailsOnANumberThatCrossesTheEnd) {
  std::string bytes = Bytes({1});
  struct cursor c = cursor_over(MakeSpan(bytes));
  EXPECT_EQ(take_u2(&c), 0u);
  EXPECT_TRUE(c.failed);
  struct cursor empty = cursor_over({nullptr, 0});
  EXPECT_TRUE(cursor_is_done(&empty));
  EXPECT_EQ(take_u1(&empty), 0u);
  EXPECT_TRUE(empty.failed);
}

TEST(Put, WritesNumbersMostSignificantByteFirst) {
  struct builder b = {};
  put_u1(&b, 0x1FE);
  put_u2(&b, 0x1FEDC);
  put_u4(&b, 0xFEDCBA98);
  EXPECT_EQ(TakeBytes(&b), Bytes({0xFE, 0xFE, 0xDC, 0xFE, 0xDC, 0xBA, 0x98}));
}

TEST(Poke, OverwritesNumbersThatPeekReads) {
  char bytes[] = "abcdefgh";
  poke_u2(bytes + 1, 0x4142);
  poke_u4(bytes + 3, 0x31323334);
  EXPECT_STREQ(bytes, "aAB1234h");
  EXPECT_EQ(peek_u2(bytes + 1), 0x4142u);
  EXPECT_EQ(peek_u4(bytes + 3), 0x31323334u);
}

}  // namespace
