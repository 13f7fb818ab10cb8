#include "tools/orca/model/state/place.h"

#include <set>

#include "tests/tools/orca/model/small_dump.h"
#include "tools/orca/model/names.h"

namespace {

class Place : public testing::Test {
 protected:
  Place() { small_.Read(); }

  place_t FindPlace(std::initializer_list<struct frame> frames) {
    return place_of_stack(small_.dump, frames.begin(), frames.size());
  }

  SmallModel small_;
};

TEST_F(Place, ConsistsOfMethodAndLine) {
  EXPECT_EQ(place_method(place(0x10, 88)), 0x10u);
  EXPECT_EQ(place_line(place(0x10, 88)), 88u);
  EXPECT_EQ(place_of_frame(small_.dump, {0x10, 0x0F}), place(0x10, 88));
  EXPECT_EQ(place_of_frame(small_.dump, {0x10, 0x10}), place(0x10, 90));
  EXPECT_EQ(place_of_frame(small_.dump, {0x14, LOCATION_NATIVE}), place(0x14, 0));
}

TEST_F(Place, KnowsTheClassesOfTheJdk) {
  for (uint32_t jdk : {0x01u, 0x05u, 0x13u, 0x14u}) {
    EXPECT_TRUE(place_is_platform(small_.dump, jdk)) << jdk;
  }
  for (uint32_t other : {0x10u, 0x12u, 0xFFu}) EXPECT_FALSE(place_is_platform(small_.dump, other));
}

TEST_F(Place, IsTheInnermostFrameOutsideOfTheJdk) {
  EXPECT_EQ(FindPlace({{0x13, 0}, {0x10, 0x10}, {0x11, 0}}), place(0x10, 90));
  EXPECT_EQ(FindPlace({{0x12, 0}, {0x11, 0}}), place(0x12, 42));
}

TEST_F(Place, IsTheFirstUsefulFrameOfAStackInTheJdk) {
  EXPECT_EQ(FindPlace({{0x01, LOCATION_NATIVE}, {0x05, 0}}), place(0x05, 318));
  EXPECT_EQ(FindPlace({{0x01, LOCATION_NATIVE}}), place(0x01, 0));
  EXPECT_EQ(FindPlace({}), 0u);
}

TEST_F(Place, KnowsAClassByTheEndOfItsName) {
  auto is = [](const char *signature, const char *end) {
    return place_is_class({signature, strlen(signature)}, end);
  };
  EXPECT_TRUE(is("Lcom/acme/Cart;", "Cart"));
  EXPECT_TRUE(is("Lcom/acme/Cart;", "acme/Cart"));
  EXPECT_TRUE(is("LCart;", "Cart"));
  EXPECT_FALSE(is("Lcom/acme/XMLCart;", "Cart"));
  EXPECT_FALSE(is("Lcom/acme/Carts;", "Cart"));
  EXPECT_FALSE(is("[I", "I"));
  EXPECT_FALSE(is("", "Cart"));
}

std::string WriteName(const struct dump *d, uint32_t method) {
  struct builder b = {}, full = {};
  names_method(&b, d, method);
  names_full_method(&full, d, method);
  std::string name = TakeText(&b);
  EXPECT_EQ(TakeText(&full), name);
  return name;
}

TEST(Pseudo, EachHasAnIdAndANameInParentheses) {
  SmallModel small;
  small.Read();
  std::set<std::string> names;
  for (int i = 0; i < NUM_PSEUDOS; i++) {
    uint32_t method = pseudo_method(static_cast<enum pseudo>(i));
    EXPECT_TRUE(pseudo_is(method));
    std::string name = WriteName(small.dump, method);
    EXPECT_EQ(name.front(), '(');
    EXPECT_EQ(name.back(), ')');
    names.insert(name);
  }
  EXPECT_EQ(names.size(), static_cast<size_t>(NUM_PSEUDOS));
  EXPECT_FALSE(pseudo_is(0));
  EXPECT_FALSE(pseudo_is(PSEUDO_FIRST_ID - 1));
  EXPECT_FALSE(pseudo_is(pseudo_method(NUM_PSEUDOS)));
}

TEST(Pseudo, TheNameOfDeeperContainsTheDepth) {
  SmallModel small;
  small.files.Replace(DUMP_INFO, "options=out,", "options=out,depth=64,");
  small.Read();
  EXPECT_EQ(WriteName(small.dump, METHOD_CUT), "(deeper than 64)");
  EXPECT_EQ(WriteName(small.dump, pseudo_method(PSEUDO_DEEPER)), "(deeper than 64)");
  EXPECT_EQ(WriteName(small.dump, pseudo_method(PSEUDO_CALLERS)), "(callers not known)");
}

TEST(Pseudo, OnlyNativeAndJvmAreLeaves) {
  for (int i = 0; i < NUM_PSEUDOS; i++) {
    bool is_leaf = i == PSEUDO_NATIVE || i == PSEUDO_JVM;
    EXPECT_EQ(pseudo_is_leaf(pseudo_method(static_cast<enum pseudo>(i))), is_leaf);
  }
}

}  // namespace
