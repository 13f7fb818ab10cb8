#include "agent/classfile/annotations.h"

#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"

namespace {

class Annotations : public testing::Test {
 protected:
  void SetUp() override {
    get_ = U2(maker_.Utf8("Ljavax/ws/rs/GET;"));
    other_ = U2(maker_.Utf8("LOther;"));
    class_file_ = maker_.Make();
    struct cursor c = cursor_over({class_file_.data() + 8, class_file_.size() - 8});
    ASSERT_EQ(pool_read(&pool_, &c), WEAVE_WOVEN);
  }
  void TearDown() override { pool_free(&pool_); }

  bool Has(const std::string &body) {
    return annotations_contain(MakeSpan(body), &pool_, "Ljavax/ws/rs/GET;");
  }

  // The values of an annotation, of every kind: a number, an enum constant, arrays, an annotation.
  std::string MakeValues() {
    return U2(4) + U2(1) + "I" + U2(9) + U2(1) + "e" + U2(9) + U2(9) + U2(1) + "[" + U2(2) + "s" +
           U2(1) + "c" + U2(1) + U2(1) + "@" + get_ + U2(1) + U2(1) + "Z" + U2(1);
  }

  ClassMaker maker_;
  std::string get_, other_, class_file_;
  struct pool pool_;
};

TEST_F(Annotations, AreFoundByTheirType) {
  EXPECT_TRUE(Has(U2(1) + get_ + U2(0)));
  EXPECT_TRUE(Has(U2(2) + other_ + U2(0) + get_ + U2(0)));
  EXPECT_FALSE(Has(U2(1) + other_ + U2(0)));
  EXPECT_FALSE(Has(U2(0)));
  EXPECT_FALSE(annotations_contain({nullptr, 0}, &pool_, "LOther;"));
}

TEST_F(Annotations, ValuesAreSkipped) {
  EXPECT_FALSE(Has(U2(1) + other_ + MakeValues())) << "it is only a value of the other annotation";
  EXPECT_TRUE(Has(U2(2) + other_ + MakeValues() + get_ + U2(0)));
}

TEST_F(Annotations, MalformedOnesAreNotFound) {
  std::string good = U2(2) + other_ + MakeValues() + get_ + MakeValues();
  EXPECT_TRUE(Has(good));
  for (size_t len = 0; len < good.size(); len++) EXPECT_FALSE(Has(good.substr(0, len))) << len;
  EXPECT_FALSE(Has(U2(1) + U2(60000) + U2(0))) << "no type";
}

TEST_F(Annotations, DeeplyNestedOnesAreMalformed) {
  for (const std::string &step : {std::string("["), std::string("@")}) {
    std::string deep;
    for (int i = 0; i < 100000; i++) deep += step + U2(1) + (step == "@" ? U2(1) + U2(1) : "");
    EXPECT_FALSE(Has(U2(2) + other_ + U2(1) + U2(1) + deep));
  }
}

TEST_F(Annotations, SkipTakesOneAnnotation) {
  std::string two = get_ + MakeValues() + other_ + U2(0);
  struct cursor c = cursor_over(MakeSpan(two));
  annotation_skip(&c);
  EXPECT_EQ(c.at, two.size() - 4);
  annotation_skip(&c);
  EXPECT_TRUE(cursor_is_done(&c));
  annotation_skip(&c);
  EXPECT_TRUE(c.failed);
}

}  // namespace
