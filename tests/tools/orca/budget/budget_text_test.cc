#include "tools/orca/budget/budget_text.h"

#include "tests/tools/orca/budget/judged.h"

namespace {

const char kFile[] =
    "# The locks of the shop.\n"
    "\n"
    "lost = 0\n"
    "# Known since the import of the ledger.\n"
    "# It is safe.\n"
    "order: shop.Cart at shop.Cart.add > shop.Stock at shop.Stock.take\n"
    "value: java.lang.String at shop.Cart.name\n"
    "sleep: java.lang.Object at shop.Timer.pause\n"
    "io: java.lang.Object at shop.Log.write\n"
    "unheard = 12\n"
    "blocked = 12.5%\n"
    "lock: * = 20 waits, longest 100ms\n"
    "lock: java.lang.Object at shop.Ledger.enter = 600 waits, longest 1500us\n"
    "# The end.\n";

std::string Write(const struct budget &budget) {
  struct builder b = {};
  budget_write(&b, &budget);
  return TakeText(&b);
}

// Returns the reason why a text is refused.
std::string Refuse(const std::string &text) {
  struct budget budget = {};
  struct builder why = {};
  EXPECT_FALSE(budget_parse({text.data(), text.size()}, &budget, &why)) << text;
  budget_free(&budget);
  return TakeText(&why);
}

TEST(BudgetText, ReadsEachKindOfLine) {
  Budget b(kFile);
  ASSERT_EQ(b.budget.num, 9u);
  EXPECT_EQ(budget_find(&b.budget, BUDGET_LOST, "")->number, 0u);
  EXPECT_EQ(budget_find(&b.budget, BUDGET_UNHEARD, "")->number, 12u);
  EXPECT_EQ(budget_find(&b.budget, BUDGET_BLOCKED, "")->number, 125u);
  const struct budget_row *lock =
      budget_find(&b.budget, BUDGET_LOCK, "java.lang.Object at shop.Ledger.enter");
  ASSERT_NE(lock, nullptr);
  EXPECT_EQ(lock->number, 600u);
  EXPECT_EQ(lock->longest_ns, 1500000u);
  const struct budget_row *order = budget_find(
      &b.budget, BUDGET_ORDER, "shop.Cart at shop.Cart.add > shop.Stock at shop.Stock.take");
  ASSERT_NE(order, nullptr);
  EXPECT_STREQ(order->comment, "# Known since the import of the ledger.\n# It is safe.\n");
}

TEST(BudgetText, WritesWhatItReads) {
  Budget b(kFile);
  EXPECT_EQ(Write(b.budget), kFile);
}

TEST(BudgetText, SortsTheLinesWithTheirComments) {
  Budget b("# b\nsleep: b\n\n# a\n\nsleep: a\r\n  lost   =  3  \n");
  EXPECT_EQ(Write(b.budget), "lost = 3\n# a\nsleep: a\n# b\nsleep: b\n");
  Budget empty("");
  EXPECT_EQ(Write(empty.budget), "");
}

TEST(BudgetText, KeepsAFileOfComments) {
  EXPECT_EQ(Write(Budget("# a").budget), "# a\n");
  EXPECT_EQ(Write(Budget("# a\n").budget), "# a\n");
  EXPECT_EQ(Write(Budget("# a\n\n# b").budget), "# a\n\n# b\n");
}

// Names of methods may contain anything: Kotlin has methods with blanks.
TEST(BudgetText, ReadsFilesOfWindows) {
  const std::string text = "\xEF\xBB\xBF# why\r\n\r\nlost = 0\r\norder: A\r\n";
  EXPECT_EQ(Write(Budget(text).budget), "# why\n\nlost = 0\norder: A\n");
}

TEST(BudgetText, AKeyMayContainSeparators) {
  Budget b("lock: A at x = y, z: # = 1 waits, longest 2s\norder: lock: = 5%\n");
  EXPECT_NE(budget_find(&b.budget, BUDGET_LOCK, "A at x = y, z: #"), nullptr);
  EXPECT_NE(budget_find(&b.budget, BUDGET_ORDER, "lock: = 5%"), nullptr);
}

TEST(BudgetText, RefusesEachWrongLine) {
  const struct {
    const char *text, *why;
  } rows[] = {
      {"locks: 3",
       "line 1: a budget begins with lost, order, value, sleep, io, unheard, blocked or "
       "lock, not \"locks: 3\""},
      {"\n\n= 3\n",
       "line 3: a budget begins with lost, order, value, sleep, io, unheard, blocked or "
       "lock, not \"= 3\""},
      {"deadlock = 1", "line 1: a deadlock is never allowed; remove the line"},
      {"lost: 3", "line 1: an equals sign follows the word, not \"lost: 3\""},
      {"lost", "line 1: an equals sign follows the word, not \"lost\""},
      {"lost = -1", "line 1: the budget takes a number from 0, not \"-1\""},
      {"lost = 01", "line 1: the budget takes a number from 0, not \"01\""},
      {"unheard = many", "line 1: the budget takes a number from 0, not \"many\""},
      {"unheard = 99999999999999999999",
       "line 1: the budget takes a number from 0, not \"99999999999999999999\""},
      {"blocked = 12", "line 1: blocked takes a share such as 12% or 12.5%, not \"12\""},
      {"blocked = 100.1%", "line 1: blocked takes a share such as 12% or 12.5%, not \"100.1%\""},
      {"blocked = 1.25%", "line 1: blocked takes a share such as 12% or 12.5%, not \"1.25%\""},
      {"blocked = .5%", "line 1: blocked takes a share such as 12% or 12.5%, not \".5%\""},
      {"order = 3", "line 1: a colon follows the word, not \"order = 3\""},
      {"order:  ", "line 1: the key is missing: CLASS at METHOD"},
      {"lock: = 1 waits, longest 1s",
       "line 1: a lock takes its limits at the end, such as lock: * = "
       "20 waits, longest 100ms"},
      {"lock: A",
       "line 1: a lock takes its limits at the end, such as lock: * = 20 waits, longest "
       "100ms"},
      {"lock: A = 3",
       "line 1: a lock takes its limits at the end, such as lock: * = 20 waits, "
       "longest 100ms, not \"3\""},
      {"lock: A = 3 waits",
       "line 1: a lock takes its limits at the end, such as lock: * = 20 waits, "
       "longest 100ms, not \"3 waits\""},
      {"lock: A = -3 waits, longest 1s",
       "line 1: a lock takes its limits at the end, such as lock: "
       "* = 20 waits, longest 100ms, not \"-3 waits, longest 1s\""},
      {"lock: A = 3 waits, longest 1",
       "line 1: a lock takes its limits at the end, such as lock: * "
       "= 20 waits, longest 100ms, not \"3 waits, longest 1\""},
      {"lock: A = 3 waits, 1s",
       "line 1: a lock takes its limits at the end, such as lock: * = 20 "
       "waits, longest 100ms, not \"3 waits, 1s\""},
      {"lock: A = 3 waits, longest 9999h",
       "line 1: a lock takes its limits at the end, such as lock: "
       "* = 20 waits, longest 100ms, not \"3 waits, longest "
       "9999h\""},
      {"lost = 0\nlost = 0\n", "line 2: another line has this budget too; keep one of them"},
      {"io: A\n# x\nio: A\n", "line 3: another line has this budget too; keep one of them"},
      {"io: A\x01", "line 1: the line has a control character"},
  };
  for (const auto &row : rows) EXPECT_EQ(Refuse(row.text), row.why) << row.text;
  EXPECT_EQ(Refuse(std::string("lost = 0\nio: A\0B\n", 16)),
            "line 2: the line has a control character");
  EXPECT_EQ(Refuse(std::string(100, 'x')).size(), Refuse(std::string(1000, 'x')).size());
}

TEST(BudgetText, RefusesTooManyBudgets) {
  std::string text;
  for (int i = 0; i <= BUDGET_MOST_ROWS; i++) text += "io: " + std::to_string(i) + "\n";
  EXPECT_EQ(Refuse(text), "line 10001: the file has more than 10000 budgets");
}

TEST(BudgetText, WritesTimesExactly) {
  for (const char *time : {"0ms", "1ns", "1500us", "100ms", "2s", "90s"}) {
    std::string line = std::string("lock: A = 1 waits, longest ") + time + "\n";
    EXPECT_EQ(Write(Budget(line).budget), line);
  }
}

}  // namespace
