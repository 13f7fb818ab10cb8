#include "tools/orca/dump/origin.h"

#include "gtest/gtest.h"
#include "tests/support/bytes.h"

namespace {

std::string Origin(const std::string &signature, bool has_source = true) {
  struct builder b = {};
  origin_put(&b, Span(signature), has_source);
  return TakeText(&b);
}

TEST(Origin, HiddenClassesLoseTheirAddress) {
  EXPECT_EQ(Origin("LMain$Kernel.0x00007fd8ec001800;"), "LMain$Kernel");
  EXPECT_EQ(Origin("LMain$Kernel+0x00007fd8ec001800;"), "LMain$Kernel");
  EXPECT_EQ(Origin("LMain$Kernel/0x00007fd8ec001800;"), "LMain$Kernel");
}

TEST(Origin, LambdasOfAClassAreOne) {
  EXPECT_EQ(Origin("Lcom/acme/Main$$Lambda$14.0x0000000800c03000;", false),
            "Lcom/acme/Main$$Lambda");
  EXPECT_EQ(Origin("Lcom/acme/Main$$Lambda.0x0000000800c03000;", false), "Lcom/acme/Main$$Lambda");
}

TEST(Origin, NumbersOfGeneratedClassesDoNotCount) {
  EXPECT_EQ(Origin("Ljdk/proxy2/$Proxy12;", false), "Ljdk/proxy2/$Proxy#");
  EXPECT_EQ(Origin("Ljdk/internal/reflect/GeneratedMethodAccessor103;", false),
            "Ljdk/internal/reflect/GeneratedMethodAccessor#");
  EXPECT_EQ(Origin("LPage_2026_4;", false), "LPage_#_#");
}

TEST(Origin, NumbersOfOtherClassesCount) {
  EXPECT_EQ(Origin("Lcom/acme/Stage2;"), "Lcom/acme/Stage2");
  EXPECT_EQ(Origin("Lcom/acme/Cart$12;", false), "Lcom/acme/Cart$12");
  EXPECT_EQ(Origin("Lcom/acme/a12;", false), "Lcom/acme/a12");
}

TEST(Origin, AcceptsAnyText) {
  EXPECT_EQ(Origin(""), "");
  EXPECT_EQ(Origin(";", false), "");
  EXPECT_EQ(Origin("[I"), "[I");
}

}  // namespace
