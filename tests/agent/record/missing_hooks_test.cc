#include "agent/record/missing_hooks.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace {

using Texts = std::vector<std::string>;

class MissingHooksTest : public testing::Test {
 protected:
  MissingHooksTest() { missing_hooks_init(&missing_); }
  ~MissingHooksTest() override { missing_hooks_clear(&missing_); }

  Texts ListTexts() {
    Texts texts;
    auto add = [](void *to, const char *text) { static_cast<Texts *>(to)->push_back(text); };
    missing_hooks_visit(&missing_, add, &texts);
    return texts;
  }

  struct missing_hooks missing_;
};

TEST_F(MissingHooksTest, ListsRowsInOrderAndThenTheRest) {
  missing_hooks_add(&missing_, "b");
  missing_hooks_set_row(&missing_, 7, "row 7");
  missing_hooks_set_row(&missing_, 0, "row 0");
  missing_hooks_add(&missing_, "a");
  missing_hooks_set_row(&missing_, 3, "row 3");
  EXPECT_EQ(ListTexts(), (Texts{"row 0", "row 3", "row 7", "b", "a"}));
}

TEST_F(MissingHooksTest, KeepsTheLastTextOfARow) {
  missing_hooks_set_row(&missing_, 3, "one reason");
  missing_hooks_set_row(&missing_, 4, "row 4");
  missing_hooks_set_row(&missing_, 3, "another");
  EXPECT_EQ(ListTexts(), (Texts{"another", "row 4"}));
}

TEST_F(MissingHooksTest, LimitsTheTextsThatAreNoRows) {
  for (int i = 0; i < MISSING_HOOKS_MAX_CHOSEN + 5; i++) missing_hooks_add(&missing_, "x");
  missing_hooks_set_row(&missing_, 1, "row 1");
  EXPECT_EQ(ListTexts().size(), size_t{MISSING_HOOKS_MAX_CHOSEN} + 1);
  missing_hooks_clear(&missing_);
  EXPECT_EQ(ListTexts(), Texts{});
  missing_hooks_add(&missing_, "y");
  EXPECT_EQ(ListTexts(), Texts{"y"});
}

}  // namespace
