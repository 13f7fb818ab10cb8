#include "tools/orca/export/protobuf.h"

#include <string>

#include "gtest/gtest.h"

namespace {

template <typename Write>
std::string Written(Write write) {
  struct builder b = {};
  write(&b);
  std::string bytes = b.len == 0 ? "" : std::string(b.data, b.len);
  builder_free(&b);
  return bytes;
}

TEST(Protobuf, WritesVarints) {
  auto varint = [](uint64_t n) {
    return Written([n](struct builder *b) { protobuf_varint(b, n); });
  };
  EXPECT_EQ(varint(0), std::string(1, '\0'));
  EXPECT_EQ(varint(127), "\x7F");
  EXPECT_EQ(varint(128), "\x80\x01");
  EXPECT_EQ(varint(300), "\xAC\x02");
  EXPECT_EQ(varint(UINT64_MAX), "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01");
}

TEST(Protobuf, WritesFields) {
  EXPECT_EQ(Written([](struct builder *b) { protobuf_integer(b, 1, 150); }), "\x08\x96\x01");
  EXPECT_EQ(Written([](struct builder *b) { protobuf_integer(b, 1, 0); }), "");
  EXPECT_EQ(Written([](struct builder *b) {
              protobuf_bytes(b, 2, {"testing", 7});
            }),
            "\x12\x07testing");
  EXPECT_EQ(Written([](struct builder *b) {
              protobuf_bytes(b, 6, {nullptr, 0});
            }),
            std::string("\x32\0", 2));
  EXPECT_EQ(Written([](struct builder *b) { protobuf_integer(b, 16, 1); }), "\x80\x01\x01");
}

}  // namespace
