#include "agent/classfile/descriptor.h"

#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"

namespace {

// The parameters, each with its slots, and * for a reference: "I1 [J1* "; then the return type.
std::string FormatParts(const std::string &descriptor) {
  struct cursor c = descriptor_open(MakeSpan(descriptor));
  struct span field;
  std::string out;
  while (descriptor_take_parameter(&c, &field)) {
    out += MakeText(field) + std::to_string(descriptor_slots(field)) +
           (descriptor_is_reference(field) ? "* " : " ");
  }
  if (c.failed) return "malformed";
  char return_type = descriptor_return_type(MakeSpan(descriptor));
  return out + (return_type == 0 ? "nothing" : std::string(1, return_type));
}

TEST(Descriptor, IsSplitIntoItsParts) {
  EXPECT_EQ(FormatParts("()V"), "V");
  EXPECT_EQ(FormatParts("(ZBCSI)J"), "Z1 B1 C1 S1 I1 J");
  EXPECT_EQ(FormatParts("(JFD)Z"), "J2 F1 D2 Z");
  EXPECT_EQ(FormatParts("(LA;[[J[LB;)[I"), "LA;1* [[J1* [LB;1* [");
  EXPECT_EQ(FormatParts("(Ljava/lang/String);I)LA;"), "Ljava/lang/String);1* I1 L")
      << "an odd name";
  EXPECT_EQ(FormatParts("(I)"), "I1 nothing");
}

TEST(Descriptor, IsRefusedIfMalformed) {
  for (const char *bad :
       {"", "V", "(", "(I", "(V)V", "(L)V", "(L;)V", "(LA", "([)V", "([", "(X)V", "I)V"}) {
    EXPECT_EQ(FormatParts(bad), "malformed") << bad;
    EXPECT_EQ(descriptor_return_type(MakeSpan(bad)), 0) << bad;
  }
}

TEST(Descriptor, TellsIfTheFirstParameterIsAnObject) {
  for (const char *one : {"(LA;)V", "([I)V", "(LA;I)V"}) {
    EXPECT_TRUE(descriptor_has_reference_first(MakeSpan(one))) << one;
  }
  for (const char *none : {"()V", "(I)V", "(ILA;)V", "", "(L"}) {
    EXPECT_FALSE(descriptor_has_reference_first(MakeSpan(none))) << none;
  }
}

// Found by fuzzing: the descriptor of a method is not a CONSTANT_Utf8.
TEST(Descriptor, IsMalformedIfThereIsNone) {
  struct cursor c = descriptor_open({nullptr, 0});
  struct span field;
  EXPECT_FALSE(descriptor_take_parameter(&c, &field));
  EXPECT_TRUE(c.failed);
  EXPECT_EQ(descriptor_return_type({nullptr, 0}), 0);
}

}  // namespace
