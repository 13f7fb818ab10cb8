#include "agent/classfile/snippets.h"

#include "agent/classfile/opcodes.h"
#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"

namespace {

const struct hook_methods kHooks = {0x0102, 0x0304, 0x0506};

class Snippets : public testing::Test {
 protected:
  void SetUp() override {
    struct cursor c = cursor_over(SpanOf(pool_bytes_));
    ASSERT_EQ(pool_read(&pool_, &c), WEAVE_WOVEN);
  }
  void TearDown() override {
    snippets_free(&s_);
    pool_free(&pool_);
  }

  enum weave_status Make(int32_t id, bool has_this, bool has_exit) {
    struct weave_hooking hooking = {id, has_this, has_exit};
    return snippets_make(&s_, &hooking, has_this, &kHooks, &pool_);
  }

  std::string pool_bytes_ = U2(1);
  struct pool pool_;
  struct snippets s_ = {};
};

TEST_F(Snippets, AreTheCallsOfTheHooks) {
  ASSERT_EQ(Make(7, true, true), WEAVE_WOVEN);
  EXPECT_EQ(Taken(&s_.enter), Bytes({OPCODE_aload_0, OPCODE_bipush, 7, OPCODE_invokestatic, 1, 2}));
  EXPECT_EQ(Taken(&s_.exit), Bytes({OPCODE_bipush, 7, OPCODE_invokestatic, 3, 4}));
  EXPECT_EQ(Taken(&s_.handler),
            Bytes({OPCODE_bipush, 7, OPCODE_invokestatic, 5, 6, OPCODE_athrow}));
}

TEST_F(Snippets, WithoutExitAreTheEntryAlone) {
  ASSERT_EQ(Make(7, false, false), WEAVE_WOVEN);
  EXPECT_EQ(Taken(&s_.enter),
            Bytes({OPCODE_aconst_null, OPCODE_bipush, 7, OPCODE_invokestatic, 1, 2}));
  EXPECT_EQ(Taken(&s_.exit), "");
  EXPECT_EQ(Taken(&s_.handler), "");
}

TEST_F(Snippets, PushEveryNumber) {
  const std::pair<int32_t, std::string> cases[] = {
      {0, Bytes({OPCODE_bipush, 0})},
      {127, Bytes({OPCODE_bipush, 127})},
      {-128, Bytes({OPCODE_bipush, 0x80})},
      {128, Bytes({OPCODE_sipush, 0, 128})},
      {32767, Bytes({OPCODE_sipush, 127, 255})},
      {-32768, Bytes({OPCODE_sipush, 128, 0})},
      {32768, Bytes({OPCODE_ldc_w, 0, 1})},
      {INT32_MIN, Bytes({OPCODE_ldc_w, 0, 2})},
  };
  for (const auto &c : cases) {
    ASSERT_EQ(Make(c.first, true, false), WEAVE_WOVEN);
    EXPECT_EQ(Taken(&s_.enter), U1(OPCODE_aload_0) + c.second + Bytes({OPCODE_invokestatic, 1, 2}));
  }
  struct builder b = {};
  pool_put(&pool_, &b);
  EXPECT_EQ(Taken(&b), U2(3) + U1(3) + U4(32768) + U1(3) + U4(0x80000000));
}

TEST_F(Snippets, NeedRoomInThePool) {
  pool_.num = POOL_MAX;
  EXPECT_EQ(Make(32767, true, true), WEAVE_WOVEN);
  snippets_free(&s_);
  EXPECT_EQ(Make(32768, true, true), WEAVE_POOL_FULL);
}

}  // namespace
