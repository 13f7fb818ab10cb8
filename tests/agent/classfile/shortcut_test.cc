#include "agent/classfile/shortcut.h"

#include <cstring>

#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"

namespace {

class Shortcut : public testing::Test {
 protected:
  void SetUp() override {
    struct cursor c = cursor_over(MakeSpan(pool_bytes_));
    ASSERT_EQ(pool_read(&pool_, &c), WEAVE_WOVEN);
    method_.class_name = {"a/Made", 6};
    method_.name = {"run", 3};
  }
  void TearDown() override {
    snippet_free(&s_);
    pool_free(&pool_);
  }

  enum weave_status Make(const char *descriptor) {
    snippet_free(&s_);
    method_.descriptor = {descriptor, strlen(descriptor)};
    const struct weave_static callee = {"Callee", "isOver"};
    return shortcut_make(&s_, &method_, &callee, &pool_);
  }

  // Returns the bytes of the entries that were added to the pool.
  std::string GetAdded() { return {pool_.added.data, pool_.added.len}; }

  std::string pool_bytes_ = U2(1);
  struct pool pool_;
  struct method method_ = {};
  struct snippet s_ = {};
};

TEST_F(Shortcut, PassesThisAndEveryArgument) {
  ASSERT_EQ(Make("(ZBCSIJFDLA;[J)V"), WEAVE_WOVEN);
  EXPECT_NE(GetAdded().find("(La/Made;ZBCSIJFDLA;[J)Z"), std::string::npos);
  EXPECT_EQ(s_.max_height, 13u);
  EXPECT_EQ(s_.height, 0);
  EXPECT_EQ(TakeBytes(&s_.code), Bytes({OPCODE_aload_0,
                                        OPCODE_iload,
                                        1,
                                        OPCODE_iload,
                                        2,
                                        OPCODE_iload,
                                        3,
                                        OPCODE_iload,
                                        4,
                                        OPCODE_iload,
                                        5,
                                        OPCODE_lload,
                                        6,
                                        OPCODE_fload,
                                        8,
                                        OPCODE_dload,
                                        9,
                                        OPCODE_aload,
                                        11,
                                        OPCODE_aload,
                                        12}) +
                                     U1(OPCODE_invokestatic) + U2(pool_.num - 1) +
                                     Bytes({OPCODE_ifeq, 0, 4}) + U1(OPCODE_return));
}

TEST_F(Shortcut, ReturnsTrueFromABooleanMethod) {
  ASSERT_EQ(Make("()Z"), WEAVE_WOVEN);
  EXPECT_NE(GetAdded().find("(La/Made;)Z"), std::string::npos);
  EXPECT_EQ(TakeBytes(&s_.code), U1(OPCODE_aload_0) + U1(OPCODE_invokestatic) + U2(pool_.num - 1) +
                                     Bytes({OPCODE_ifeq, 0, 5, OPCODE_iconst_1, OPCODE_ireturn}));
}

TEST_F(Shortcut, IsRefusedForOtherMethods) {
  EXPECT_EQ(Make("()V"), WEAVE_WOVEN);
  for (const char *descriptor : {"()I", "()J", "()LA;", "()[Z"}) {
    EXPECT_EQ(Make(descriptor), WEAVE_SHORTCUT) << descriptor;
  }
  for (const char *descriptor : {"", "(", "()", "(X)V"}) {
    EXPECT_EQ(Make(descriptor), WEAVE_MALFORMED) << descriptor;
  }
  method_.is_static = true;
  EXPECT_EQ(Make("()V"), WEAVE_SHORTCUT);
  method_.is_static = false;
  method_.name = {"<init>", 6};
  EXPECT_EQ(Make("()V"), WEAVE_SHORTCUT);
}

TEST_F(Shortcut, NeedsRoomInThePool) {
  pool_.num = POOL_MAX;
  Make("()V");
  EXPECT_TRUE(pool_.full);
}

}  // namespace
