#include "agent/classfile/attributes.h"

#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"

namespace {

// The code is ten nops and a return. An insert of four bytes precedes the first nop, and one of two
// bytes precedes the return.
class Attributes : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(layout_read(&l_, MakeSpan(code_)), WEAVE_WOVEN);
    l_.inserts[INSERT_ENTER] = {"EEEE", 4};
    l_.inserts[INSERT_EXIT] = {"XX", 2};
    l_.between[0] = INSERT_ENTER;
    l_.before[10] = INSERT_EXIT;
    ASSERT_EQ(layout_place(&l_), WEAVE_WOVEN);
  }
  void TearDown() override { layout_free(&l_); }

  // Returns the moved body; "refused" if it is malformed.
  std::string Move(const std::string &name, const std::string &body) {
    struct builder b = {};
    builder_string(&b, "before");
    bool good = attribute_put(MakeSpan(name), MakeSpan(body), &l_, &b);
    std::string out = TakeBytes(&b);
    EXPECT_EQ(out.substr(0, 6), "before");
    EXPECT_TRUE(good || out.size() == 6) << "part of a refused attribute was appended";
    return good ? out.substr(6) : "refused";
  }

  // Does the same, and checks that every truncated body is refused.
  std::string MoveAndTruncate(const std::string &name, const std::string &body) {
    for (size_t len = 0; len < body.size(); len++) {
      EXPECT_EQ(Move(name, body.substr(0, len)), "refused") << len;
    }
    EXPECT_EQ(Move(name, body + "x"), "refused");
    return Move(name, body);
  }

  std::string code_ = std::string(10, '\0') + U1(OPCODE_return);
  struct layout l_;
};

const char kAnnotations[] = "RuntimeVisibleTypeAnnotations";

TEST_F(Attributes, AreKeptIfTheirFormatIsKnown) {
  for (const char *name : {"LineNumberTable", "LocalVariableTable", "LocalVariableTypeTable",
                           "RuntimeVisibleTypeAnnotations", "RuntimeInvisibleTypeAnnotations"}) {
    EXPECT_TRUE(attribute_is_kept(MakeSpan(name))) << name;
  }
  EXPECT_FALSE(attribute_is_kept({"StackMapTable", 13}));
  EXPECT_FALSE(attribute_is_kept({"LineNumber", 10}));
  EXPECT_FALSE(attribute_is_kept({nullptr, 0}));
}

TEST_F(Attributes, LinesMoveExceptTheFirst) {
  EXPECT_EQ(
      MoveAndTruncate("LineNumberTable", U2(3) + U2(0) + U2(70) + U2(5) + U2(71) + U2(10) + U2(72)),
      U2(3) + U2(0) + U2(70) + U2(9) + U2(71) + U2(14) + U2(72));
  EXPECT_EQ(Move("LineNumberTable", U2(0)), U2(0));
  EXPECT_EQ(Move("LineNumberTable", U2(1) + U2(11) + U2(1)), "refused");
}

TEST_F(Attributes, LocalsMoveWithTheirRanges) {
  std::string variable = U2(1) + U2(2) + U2(3);
  for (const char *name : {"LocalVariableTable", "LocalVariableTypeTable"}) {
    EXPECT_EQ(MoveAndTruncate(name, U2(2) + U2(0) + U2(11) + variable + U2(5) + U2(5) + variable),
              U2(2) + U2(0) + U2(17) + variable + U2(9) + U2(5) + variable);
    EXPECT_EQ(Move(name, U2(1) + U2(11) + U2(0) + variable), U2(1) + U2(17) + U2(0) + variable);
    EXPECT_EQ(Move(name, U2(1) + U2(5) + U2(7) + variable), "refused");
    EXPECT_EQ(Move(name, U2(1) + U2(12) + U2(0) + variable), "refused");
  }
}

TEST_F(Attributes, AnnotationsMoveWithTheirTarget) {
  std::string rest = U1(0) + U2(9) + U2(0);
  auto make_body = [&](const std::string &target) { return U2(1) + target + rest; };
  for (uint32_t type : {0x40u, 0x41u}) {
    EXPECT_EQ(MoveAndTruncate(kAnnotations, make_body(U1(type) + U2(2) + U2(0) + U2(3) + U2(1) +
                                                      U2(5) + U2(6) + U2(2))),
              make_body(U1(type) + U2(2) + U2(0) + U2(7) + U2(1) + U2(9) + U2(8) + U2(2)));
  }
  EXPECT_EQ(MoveAndTruncate(kAnnotations, make_body(U1(0x42) + U2(3))),
            make_body(U1(0x42) + U2(3)));
  for (uint32_t type : {0x43u, 0x44u, 0x45u, 0x46u}) {
    EXPECT_EQ(MoveAndTruncate(kAnnotations, make_body(U1(type) + U2(3))),
              make_body(U1(type) + U2(7)));
  }
  for (uint32_t type : {0x47u, 0x48u, 0x49u, 0x4Au, 0x4Bu}) {
    EXPECT_EQ(MoveAndTruncate(kAnnotations, make_body(U1(type) + U2(10) + U1(1))),
              make_body(U1(type) + U2(14) + U1(1)));
  }
  for (uint32_t type : {0x00u, 0x17u, 0x3Fu, 0x4Cu, 0xFFu}) {
    EXPECT_EQ(Move(kAnnotations, make_body(U1(type) + U2(0))), "refused") << type;
  }
}

TEST_F(Attributes, AnnotationsKeepTheirValues) {
  std::string values = U2(5) + (U2(1) + "I" + U2(2)) + (U2(1) + "s" + U2(2)) +
                       (U2(1) + "e" + U2(2) + U2(3)) +
                       (U2(1) + "[" + U2(2) + "c" + U2(4) + "[" + U2(0)) +
                       (U2(1) + "@" + U2(8) + U2(1) + U2(1) + "Z" + U2(2));
  std::string body = U1(2) + Bytes({3, 1, 0, 0}) + U2(9) + values;
  EXPECT_EQ(
      MoveAndTruncate(kAnnotations, U2(2) + U1(0x44) + U2(1) + body + U1(0x44) + U2(2) + body),
      U2(2) + U1(0x44) + U2(5) + body + U1(0x44) + U2(6) + body);
}

TEST_F(Attributes, DeeplyNestedAnnotationsAreRefused) {
  auto make_nested = [](int depth) {
    std::string value;
    for (int i = 0; i < depth; i++) value += "[" + U2(1);
    return U2(1) + U1(0x44) + U2(0) + U1(0) + U2(9) + U2(1) + U2(1) + value + "[" + U2(0);
  };
  EXPECT_NE(Move(kAnnotations, make_nested(60)), "refused");
  EXPECT_EQ(Move(kAnnotations, make_nested(64)), "refused");
  EXPECT_EQ(Move(kAnnotations, make_nested(20000)), "refused");
}

}  // namespace
