#include "agent/classfile/snippet.h"

#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"

namespace {

class Snippet : public testing::Test {
 protected:
  void SetUp() override {
    struct cursor c = cursor_over(MakeSpan(pool_bytes_));
    ASSERT_EQ(pool_read(&pool_, &c), WEAVE_WOVEN);
  }
  void TearDown() override {
    snippet_free(&s_);
    pool_free(&pool_);
  }

  std::string pool_bytes_ = U2(1);
  struct pool pool_;
  struct snippet s_ = {};
};

TEST_F(Snippet, TracksTheHeightOfTheStack) {
  snippet_op(&s_, OPCODE_dup2, 2);
  snippet_load(&s_, OPCODE_lload, 254, 2);
  EXPECT_EQ(s_.height, 4);
  snippet_call(&s_, 0x0102, -3);
  EXPECT_EQ(s_.height, 1);
  EXPECT_EQ(s_.max_height, 4u);
  snippet_skip(&s_, 2);
  EXPECT_EQ(s_.height, 0);
  snippet_class(&s_, 0x0304);
  snippet_op(&s_, OPCODE_athrow, -3);
  EXPECT_EQ(s_.height, -2) << "values from before the snippet are taken off";
  EXPECT_EQ(s_.max_height, 4u);
  EXPECT_EQ(TakeBytes(&s_.code), Bytes({OPCODE_dup2, OPCODE_lload, 254, OPCODE_invokestatic, 1, 2,
                                        OPCODE_ifeq, 0, 5, OPCODE_ldc_w, 3, 4, OPCODE_athrow}));
}

TEST_F(Snippet, PushesEveryNumber) {
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
    snippet_number(&s_, c.first, &pool_);
    EXPECT_EQ(TakeBytes(&s_.code), c.second);
  }
  struct builder b = {};
  pool_put(&pool_, &b);
  EXPECT_EQ(TakeBytes(&b), U2(3) + U1(3) + U4(32768) + U1(3) + U4(0x80000000));
}

TEST_F(Snippet, LargeNumbersNeedRoomInThePool) {
  pool_.num = POOL_MAX;
  snippet_number(&s_, 32767, &pool_);
  EXPECT_FALSE(pool_.full);
  snippet_number(&s_, 32768, &pool_);
  EXPECT_TRUE(pool_.full);
}

}  // namespace
