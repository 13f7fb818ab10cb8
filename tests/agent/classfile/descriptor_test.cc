#include "agent/classfile/descriptor.h"

#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"

namespace {

// The parameters, each with its slots and * for a reference: "I1 [J1* ", then what is returned.
std::string Parts(const std::string &descriptor) {
  struct cursor c = descriptor_open(SpanOf(descriptor));
  struct span field;
  std::string out;
  while (descriptor_take_parameter(&c, &field)) {
    out += TextOf(field) + std::to_string(descriptor_slots(field)) +
           (descriptor_is_reference(field) ? "* " : " ");
  }
  if (c.failed) return "malformed";
  char returns = descriptor_return_type(SpanOf(descriptor));
  return out + (returns == 0 ? "nothing" : std::string(1, returns));
}

TEST(Descriptor, IsTakenApart) {
  EXPECT_EQ(Parts("()V"), "V");
  EXPECT_EQ(Parts("(ZBCSI)J"), "Z1 B1 C1 S1 I1 J");
  EXPECT_EQ(Parts("(JFD)Z"), "J2 F1 D2 Z");
  EXPECT_EQ(Parts("(LA;[[J[LB;)[I"), "LA;1* [[J1* [LB;1* [");
  EXPECT_EQ(Parts("(Ljava/lang/String);I)LA;"), "Ljava/lang/String);1* I1 L") << "an odd name";
  EXPECT_EQ(Parts("(I)"), "I1 nothing");
}

TEST(Descriptor, MalformedIsNone) {
  for (const char *bad :
       {"", "V", "(", "(I", "(V)V", "(L)V", "(L;)V", "(LA", "([)V", "([", "(X)V", "I)V"}) {
    EXPECT_EQ(Parts(bad), "malformed") << bad;
    EXPECT_EQ(descriptor_return_type(SpanOf(bad)), 0) << bad;
  }
}

// Found by fuzzing: a method whose descriptor is no text.
TEST(Descriptor, NoneIsMalformed) {
  struct cursor c = descriptor_open({nullptr, 0});
  struct span field;
  EXPECT_FALSE(descriptor_take_parameter(&c, &field));
  EXPECT_TRUE(c.failed);
  EXPECT_EQ(descriptor_return_type({nullptr, 0}), 0);
}

}  // namespace
