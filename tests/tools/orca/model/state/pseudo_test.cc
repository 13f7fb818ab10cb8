#include "tools/orca/model/state/pseudo.h"

#include <set>

#include "tests/tools/orca/model/small_dump.h"
#include "tools/orca/model/names.h"

namespace {

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
