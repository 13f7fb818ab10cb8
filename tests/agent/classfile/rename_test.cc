#include "agent/classfile/rename.h"

#include <string>

#include "gtest/gtest.h"

namespace {

std::string Utf8(const std::string &text) {
  return std::string("\1\0", 2) + static_cast<char>(text.size()) + text;
}

const std::string kHead("\xCA\xFE\xBA\xBE\0\0\0\x34", 8);
const std::string kLong("\5\0\0\0\0\0\0\0\7", 9); /* uses two numbers */
const std::string kRest("the rest: getReference", 22);

/* A class file whose pool has these two texts. */
std::string MakeFile(const std::string &a, const std::string &b) {
  return kHead + std::string("\0\5", 2) + Utf8(a) + kLong + Utf8(b) + kRest;
}

const struct renaming kRenamings[] = {{"getReference", "getObject"},
                                      {"jdk/Unsafe", "sun/misc/Unsafe"}};

bool Rename(const std::string &file, size_t num, std::string *out) {
  struct builder b = {};
  bool good = class_rename({file.data(), file.size()}, kRenamings, num, &b);
  out->assign(b.data == nullptr ? "" : b.data, b.len);
  builder_free(&b);
  return good;
}

TEST(Rename, RenamesNamesAndPartsOfDescriptors) {
  std::string out;
  ASSERT_TRUE(Rename(MakeFile("getReference", "(Ljdk/Unsafe;Ljdk/Unsafe;)V"), 2, &out));
  EXPECT_EQ(out, MakeFile("getObject", "(Lsun/misc/Unsafe;Lsun/misc/Unsafe;)V"));
}

TEST(Rename, LeavesTheRestAsItIs) {
  std::string out, file = MakeFile("getReferenc", "");
  ASSERT_TRUE(Rename(file, 2, &out));
  EXPECT_EQ(out, file);
  file = MakeFile("getReference", "jdk/Unsafe");
  ASSERT_TRUE(Rename(file, 0, &out));
  EXPECT_EQ(out, file);
  ASSERT_TRUE(Rename(file, 1, &out));
  EXPECT_EQ(out, MakeFile("getObject", "jdk/Unsafe"));
}

TEST(Rename, RefusesAMalformedFile) {
  std::string out, file = MakeFile("a", "b");
  size_t pool_end = file.size() - kRest.size();
  for (size_t len = 0; len < pool_end; len++) EXPECT_FALSE(Rename(file.substr(0, len), 2, &out));
  file[10] = 99; /* no entry has this tag */
  EXPECT_FALSE(Rename(file, 2, &out));
}

TEST(Rename, RefusesATextThatBecomesTooLong) {
  std::string text;
  while (text.size() < 60000) text += "jdk/Unsafe";
  std::string file = kHead + std::string("\0\2\1", 3) + static_cast<char>(text.size() >> 8) +
                     static_cast<char>(text.size() & 255) + text;
  std::string out;
  EXPECT_TRUE(Rename(file, 1, &out));
  EXPECT_FALSE(Rename(file, 2, &out));
}

}  // namespace
