#include "tools/orca/budget/budget.h"

#include "tests/tools/orca/budget/judged.h"

namespace {

TEST(Budget, FindsTheRowOfALock) {
  Budget b("lock: * = 20 waits, longest 100ms\nlock: A at m = 3 waits, longest 1ms\n");
  EXPECT_EQ(budget_of_lock(&b.budget, "A at m")->number, 3u);
  EXPECT_EQ(budget_of_lock(&b.budget, "B at m")->number, 20u);
  EXPECT_EQ(budget_find(&b.budget, BUDGET_LOCK, "B at m"), nullptr);
  EXPECT_EQ(budget_find(&b.budget, BUDGET_ORDER, "A at m"), nullptr);
  Budget none("lock: A at m = 3 waits, longest 1ms\n");
  EXPECT_EQ(budget_of_lock(&none.budget, "B at m"), nullptr);
}

TEST(Budget, CopiesTheTextsOfARow) {
  struct budget b = {};
  std::string key = "A at m";
  struct budget_row row = {BUDGET_ORDER, key.data(), 0, 0, nullptr};
  EXPECT_TRUE(budget_add(&b, &row));
  key = "changed";
  EXPECT_STREQ(b.rows[0].key, "A at m");
  EXPECT_STREQ(b.rows[0].comment, "");
  budget_free(&b);
}

TEST(Budget, SortsByKindAndKey) {
  struct budget b = {};
  std::string keys[] = {"b", "a", "c"};
  enum budget_kind kinds[] = {BUDGET_LOCK, BUDGET_LOCK, BUDGET_ORDER};
  for (int i = 0; i < 3; i++) {
    struct budget_row row = {kinds[i], keys[i].data(), 0, 0, nullptr};
    EXPECT_TRUE(budget_add(&b, &row));
  }
  budget_sort(&b);
  EXPECT_STREQ(b.rows[0].key, "c");
  EXPECT_STREQ(b.rows[1].key, "a");
  EXPECT_STREQ(b.rows[2].key, "b");
  budget_free(&b);
}

}  // namespace
