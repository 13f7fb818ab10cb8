#include "agent/classfile/code.h"

#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"

namespace {

class Code : public testing::Test {
 protected:
  void SetUp() override {
    frames_ = U2(maker_.Utf8("StackMapTable"));
    lines_ = U2(maker_.Utf8("LineNumberTable"));
    class_file_ = maker_.Make();
    struct cursor c = cursor_over({class_file_.data() + 8, class_file_.size() - 8});
    ASSERT_EQ(pool_read(&pool_, &c), WEAVE_WOVEN);
  }
  void TearDown() override { pool_free(&pool_); }

  bool Read(const std::string &body) {
    body_ = body;
    return code_read(&code_, MakeSpan(body_), &pool_);
  }

  ClassMaker maker_;
  std::string frames_, lines_, class_file_, body_;
  struct pool pool_;
  struct code code_;
};

const std::string kHead = U2(3) + U2(4) + U4(2) + "ab" + U2(1) + U2(1) + U2(2) + U2(3) + U2(4);

TEST_F(Code, IsSplitIntoItsParts) {
  std::string attributes = lines_ + U4(3) + "abc" + frames_ + U4(2) + "xy";
  ASSERT_TRUE(Read(kHead + U2(2) + attributes));
  EXPECT_EQ(code_.max_stack, 3u);
  EXPECT_EQ(code_.max_locals, 4u);
  EXPECT_EQ(MakeText(code_.bytes), "ab");
  EXPECT_EQ(code_.num_attributes, 2u);
  EXPECT_EQ(MakeText(code_.attributes), attributes);
  EXPECT_EQ(MakeText(code_.frames), "xy");
  struct cursor c = cursor_over(code_.attributes);
  struct attribute a = attribute_take(&c, &pool_);
  EXPECT_EQ(MakeText(a.name), "LineNumberTable");
  EXPECT_EQ(MakeText(a.body), "abc");
}

TEST_F(Code, CanLackFrames) {
  ASSERT_TRUE(Read(kHead + U2(0)));
  EXPECT_EQ(code_.frames.data, nullptr);
}

TEST_F(Code, IsRefusedIfMalformed) {
  std::string good = kHead + U2(1) + frames_ + U4(2) + "xy";
  for (size_t len = 0; len < good.size(); len++) EXPECT_FALSE(Read(good.substr(0, len))) << len;
  EXPECT_FALSE(Read(good + "z"));
  EXPECT_FALSE(Read(kHead + U2(2) + frames_ + U4(0) + frames_ + U4(0))) << "two StackMapTables";
}

TEST(Handler, PutWritesTheTakenRow) {
  std::string rows = U2(1) + U2(2) + U2(3) + U2(0) + U2(5) + U2(6) + U2(7) + U2(8);
  struct cursor c = cursor_over(MakeSpan(rows));
  struct handler h;
  struct builder b = {};
  while (handler_take(&c, &h)) handler_put(&b, &h);
  EXPECT_EQ(h.type, 8u);
  EXPECT_EQ(TakeBytes(&b), rows);
  c = cursor_over({rows.data(), 7});
  EXPECT_FALSE(handler_take(&c, &h));
}

}  // namespace
