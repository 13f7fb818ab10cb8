#include "tools/orca/dump/origin.h"

#include "gtest/gtest.h"
#include "tests/support/bytes.h"

namespace {

std::string CutAddress(const std::string &name) {
  struct span cut = origin_cut_address(Span(name));
  return std::string(cut.data, cut.len);
}

TEST(Origin, HiddenClassesLoseTheirAddress) {
  EXPECT_EQ(CutAddress("Main$Kernel.0x00007fd8ec001800"), "Main$Kernel");
  EXPECT_EQ(CutAddress("Main$Kernel+0x00007fd8ec001800"), "Main$Kernel");
  EXPECT_EQ(CutAddress("com/Main$$Lambda$14/0x00007fd8ec001800"), "com/Main$$Lambda$14");
}

TEST(Origin, OtherNamesStay) {
  EXPECT_EQ(CutAddress("com/acme/Cart$12"), "com/acme/Cart$12");
  EXPECT_EQ(CutAddress("jdk/proxy2/$Proxy12"), "jdk/proxy2/$Proxy12");
  EXPECT_EQ(CutAddress(""), "");
}

}  // namespace
