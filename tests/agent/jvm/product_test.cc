#include "agent/jvm/product.h"

#include <fstream>
#include <iterator>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/fake_jvm.h"

namespace {

// FakeJvm counts allocations: a leak fails the test.
class Product : public testing::Test {
 protected:
  /* Returns the refusal of a JVM with this name; "": it is supported. */
  std::string Refuse(const std::string &name) {
    char error[300] = "";
    jvm_.vm_name = name;
    bool good = product_is_supported(jvm_.Ti(), error, sizeof error);
    EXPECT_EQ(good, error[0] == '\0');
    return error;
  }

  FakeJvm jvm_;
};

TEST_F(Product, SupportsHotSpot) {
  for (const char *name : {"OpenJDK 64-Bit Server VM", "Java HotSpot(TM) 64-Bit Server VM",
                           "OpenJDK 64-Bit Client VM", "OpenJDK 64-Bit Zero VM"}) {
    EXPECT_EQ(Refuse(name), "");
  }
}

TEST_F(Product, RefusesOpenJ9) {
  EXPECT_EQ(Refuse("Eclipse OpenJ9 VM"),
            "this JVM is Eclipse OpenJ9 VM; Orca needs HotSpot, because OpenJ9 has other monitors "
            "and other classes of java.lang, which Orca does not know");
  EXPECT_NE(Refuse("IBM J9 VM"), "");
}

TEST_F(Product, RefusesANativeImage) {
  EXPECT_EQ(Refuse("Substrate VM"),
            "this JVM is Substrate VM; Orca needs HotSpot, because a native image contains no "
            "classes that an agent could change");
}

TEST_F(Product, SupportsAJvmThatDoesNotTellItsName) {
  jvm_.Fail(CALL_GetSystemProperty);
  EXPECT_EQ(Refuse("Eclipse OpenJ9 VM"), "");
}

TEST_F(Product, CutsALongName) {
  std::string refusal = Refuse("J9" + std::string(1000, 'x'));
  EXPECT_EQ(refusal.find("; Orca needs HotSpot"), sizeof "this JVM is " - 1 + 100);
}

TEST(Products, AreDocumented) {
  std::ifstream in("docs/platforms.md");
  std::string text(std::istreambuf_iterator<char>(in), {});
#define PRODUCT(word, reason) EXPECT_NE(text.find(reason), std::string::npos) << (reason);
#include "agent/jvm/product.def"
}

}  // namespace
