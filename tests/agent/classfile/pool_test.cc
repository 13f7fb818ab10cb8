#include "agent/classfile/pool.h"

#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"

namespace {

// `bytes` are constant_pool_count and the entries.
enum weave_status Read(struct pool *p, const std::string &bytes) {
  struct cursor c = cursor_over(MakeSpan(bytes));
  return pool_read(p, &c);
}

std::string MakeUtf8(const std::string &text) {
  return U1(1) + U2(static_cast<uint32_t>(text.size())) + text;
}

// A pool with the method Object.wait() as entry 6, and its parts as the entries 1 to 5.
std::string MakeWaitPool() {
  return U2(7) + MakeUtf8("java/lang/Object") + U1(7) + U2(1) + MakeUtf8("wait") + MakeUtf8("()V") +
         U1(12) + U2(3) + U2(4) + U1(10) + U2(2) + U2(5);
}

std::string WriteAndFree(struct pool *p) {
  struct builder b = {};
  pool_put(p, &b);
  pool_free(p);
  return TakeBytes(&b);
}

TEST(Pool, ReadsEveryTagAndWritesTheSame) {
  std::string bytes = U2(19) + MakeUtf8("x") + U1(3) + U4(1) + U1(4) + U4(2) + U1(5) + U4(3) +
                      U4(4) + U1(6) + U4(5) + U4(6) + U1(7) + U2(1) + U1(8) + U2(1) + U1(9) +
                      U4(7) + U1(10) + U4(8) + U1(11) + U4(9) + U1(12) + U4(10) + U1(15) + U1(1) +
                      U2(1) + U1(16) + U2(1) + U1(17) + U4(1) + U1(18) + U4(1) + U1(19) + U2(1);
  struct pool p;
  ASSERT_EQ(Read(&p, bytes), WEAVE_WOVEN);
  EXPECT_EQ(WriteAndFree(&p), bytes);
}

TEST(Pool, ReadLeavesTheCursorAfterTheEntries) {
  std::string bytes = MakeWaitPool() + "more";
  struct cursor c = cursor_over(MakeSpan(bytes));
  struct pool p;
  ASSERT_EQ(pool_read(&p, &c), WEAVE_WOVEN);
  EXPECT_EQ(c.at, bytes.size() - 4);
  pool_free(&p);
}

TEST(Pool, EveryTruncatedPoolIsMalformed) {
  std::string bytes = MakeWaitPool();
  for (size_t len = 0; len < bytes.size(); len++) {
    struct pool p;
    EXPECT_EQ(Read(&p, bytes.substr(0, len)), WEAVE_MALFORMED) << len;
  }
}

TEST(Pool, UnknownTagsAreMalformed) {
  for (uint32_t tag : {0u, 2u, 13u, 14u, 21u, 255u}) {
    struct pool p;
    EXPECT_EQ(Read(&p, U2(2) + U1(tag) + U4(0) + U4(0)), WEAVE_MALFORMED) << tag;
  }
}

TEST(Pool, CountOfZeroIsMalformed) {
  struct pool p;
  EXPECT_EQ(Read(&p, U2(0)), WEAVE_MALFORMED);
}

TEST(Pool, LongUsesTwoNumbers) {
  struct pool p;
  std::string bytes = U2(4) + U1(5) + U4(0) + U4(1) + MakeUtf8("three");
  ASSERT_EQ(Read(&p, bytes), WEAVE_WOVEN);
  EXPECT_EQ(MakeText(pool_utf8(&p, 3)), "three");
  EXPECT_EQ(pool_utf8(&p, 2).data, nullptr);
  pool_free(&p);
  EXPECT_EQ(Read(&p, U2(2) + U1(5) + U4(0) + U4(1)), WEAVE_MALFORMED);
}

TEST(Pool, ReturnsTextsAndNames) {
  struct pool p;
  std::string bytes = MakeWaitPool();
  ASSERT_EQ(Read(&p, bytes), WEAVE_WOVEN);
  EXPECT_EQ(MakeText(pool_utf8(&p, 1)), "java/lang/Object");
  EXPECT_EQ(MakeText(pool_class_name(&p, 2)), "java/lang/Object");
  EXPECT_EQ(MakeText(pool_method_name(&p, 6)), "wait");
  EXPECT_EQ(MakeText(pool_method_descriptor(&p, 6)), "()V");
  for (uint32_t none : {0u, 2u, 7u, 65535u}) {
    EXPECT_EQ(pool_utf8(&p, none).data, nullptr) << none;
    EXPECT_EQ(pool_method_name(&p, none).data, nullptr) << none;
    EXPECT_EQ(pool_method_descriptor(&p, none).data, nullptr) << none;
  }
  for (uint32_t none : {0u, 1u, 7u, 65535u}) EXPECT_EQ(pool_class_name(&p, none).data, nullptr);
  pool_free(&p);
}

TEST(Pool, ReturnsNoNameOfAMalformedMethod) {
  struct pool p;
  std::string bytes =
      U2(4) + U1(10) + U2(1) + U2(2) + U1(12) + U2(9) + U2(9) + U1(11) + U2(1) + U2(3);
  ASSERT_EQ(Read(&p, bytes), WEAVE_WOVEN);
  EXPECT_EQ(pool_method_name(&p, 1).data, nullptr);
  EXPECT_EQ(pool_method_name(&p, 3).data, nullptr);
  pool_free(&p);
}

TEST(Pool, FindsEntriesThatWereRead) {
  struct pool p;
  std::string bytes = MakeWaitPool();
  ASSERT_EQ(Read(&p, bytes), WEAVE_WOVEN);
  EXPECT_EQ(pool_add_method(&p, "java/lang/Object", "wait", "()V"), 6u);
  EXPECT_EQ(pool_add_class(&p, {"java/lang/Object", 16}), 2u);
  EXPECT_EQ(pool_add_utf8(&p, {"wait", 4}), 3u);
  EXPECT_EQ(WriteAndFree(&p), bytes);
}

TEST(Pool, AddsEachMissingEntryOnce) {
  struct pool p;
  std::string bytes = MakeWaitPool();
  ASSERT_EQ(Read(&p, bytes), WEAVE_WOVEN);
  uint32_t hook = pool_add_method(&p, "Hook", "wait", "(I)V");
  EXPECT_EQ(hook, 11u);
  EXPECT_EQ(pool_add_method(&p, "Hook", "wait", "(I)V"), hook);
  EXPECT_EQ(pool_add_integer(&p, -2), 12u);
  EXPECT_EQ(pool_add_integer(&p, -2), 12u);
  EXPECT_FALSE(p.full);
  std::string added = MakeUtf8("Hook") + U1(7) + U2(7) + MakeUtf8("(I)V") + U1(12) + U2(3) + U2(9) +
                      U1(10) + U2(8) + U2(10) + U1(3) + U4(0xFFFFFFFE);
  EXPECT_EQ(WriteAndFree(&p), U2(13) + bytes.substr(2) + added);
}

TEST(Pool, IsFullAt65535) {
  ClassMaker maker;
  maker.FillPool(65534);
  std::string class_file = maker.Make();
  struct cursor c = cursor_over({class_file.data() + 8, class_file.size() - 8});
  struct pool p;
  ASSERT_EQ(pool_read(&p, &c), WEAVE_WOVEN);
  EXPECT_EQ(pool_add_utf8(&p, {"the last", 8}), 65534u);
  EXPECT_FALSE(p.full);
  EXPECT_EQ(pool_add_utf8(&p, {"one more", 8}), 0u);
  EXPECT_TRUE(p.full);
  EXPECT_EQ(pool_add_utf8(&p, {"the last", 8}), 65534u);
  EXPECT_EQ(pool_add_method(&p, "Hook", "wait", "(I)V"), 0u);
  EXPECT_EQ(p.num, 65535u);
  pool_free(&p);
}

}  // namespace
