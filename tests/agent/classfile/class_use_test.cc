#include "agent/classfile/class_use.h"

#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"

namespace {

std::string MakeName(const std::string &text) {
  return U1(1) + U2(static_cast<uint32_t>(text.size())) + text;
}

// 2: the class A. 5: its field or method x.
std::string MakePool(uint32_t member_tag) {
  return U2(8) + MakeName("A") + U1(7) + U2(1) + MakeName("x") + U1(12) + U2(3) + U2(3) +
         U1(member_tag) + U2(2) + U2(4) + U1(3) + U4(1) + U1(7) + U2(6);
}

enum class_use FindUse(const std::string &code, uint32_t pc, uint32_t member_tag,
                       std::string *name) {
  std::string bytes = MakePool(member_tag);
  struct cursor cursor = cursor_over({bytes.data(), bytes.size()});
  struct pool pool;
  struct span found = {};
  EXPECT_EQ(pool_read(&pool, &cursor), WEAVE_WOVEN);
  enum class_use use = class_use_at({code.data(), code.size()}, pc, &pool, &found);
  *name = found.data == nullptr ? "" : std::string(found.data, found.len);
  pool_free(&pool);
  return use;
}

TEST(ClassUse, NewCreatesAnObjectOfTheClass) {
  std::string name;
  EXPECT_EQ(FindUse(U1(0) + U1(0xbb) + U2(2), 1, 9, &name), USE_CREATES);
  EXPECT_EQ(name, "A");
}

TEST(ClassUse, StaticMembersInitializeTheirClass) {
  for (uint32_t opcode : {0xb2u, 0xb3u, 0xb8u}) {
    for (uint32_t tag : {9u, 10u, 11u}) {
      std::string name;
      EXPECT_EQ(FindUse(U1(opcode) + U2(5), 0, tag, &name), USE_MEMBER) << opcode;
      EXPECT_EQ(name, "A");
    }
  }
}

TEST(ClassUse, OtherInstructionsInitializeNone) {
  std::string name;
  EXPECT_EQ(FindUse(U1(0xb4) + U2(5), 0, 9, &name), USE_NONE);   // getfield
  EXPECT_EQ(FindUse(U1(0xb6) + U2(5), 0, 10, &name), USE_NONE);  // invokevirtual
  EXPECT_EQ(FindUse(U1(0), 0, 10, &name), USE_NONE);
}

TEST(ClassUse, WrongCodeAndWrongEntriesInitializeNone) {
  std::string name;
  EXPECT_EQ(FindUse(U1(0xbb) + U1(0), 0, 9, &name), USE_NONE);
  EXPECT_EQ(FindUse(U1(0xbb) + U2(2), 3, 9, &name), USE_NONE);
  EXPECT_EQ(FindUse(U1(0xbb) + U2(5), 0, 9, &name), USE_NONE);
  EXPECT_EQ(FindUse(U1(0xb2) + U2(2), 0, 9, &name), USE_NONE);
  EXPECT_EQ(FindUse(U1(0xb2) + U2(99), 0, 9, &name), USE_NONE);
}

}  // namespace
