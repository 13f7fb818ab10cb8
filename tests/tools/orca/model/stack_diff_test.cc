#include "tools/orca/model/stack_diff.h"

#include <map>

#include "tests/tools/orca/model/two_runs.h"
#include "tools/orca/model/names.h"

namespace {

class StackDiff : public testing::Test {
 protected:
  ~StackDiff() override { stack_diff_free(&diff_); }

  void Read(const Recorded &a, const Recorded &b, size_t max = 1000) {
    runs_ = std::make_unique<TwoRuns>(a, b);
    const struct comparison *c = runs_->Compare();
    ASSERT_TRUE(stack_diff_read(&diff_, c->runs[0], c->runs[1], max));
    for (size_t i = 1; i < diff_.num; i++) {
      EXPECT_LT(diff_.nodes[i].parent, i);
      numbers_[Path(i)] = i;
    }
  }

  // "OrderService.run OrderService.price"
  std::string Path(size_t node) {
    if (node == 0) return "";
    struct builder b = {};
    const struct stack_diff_method &method = diff_.methods[diff_.nodes[node].method];
    names_method(&b, diff_.runs[method.side]->dump, method.id);
    std::string outer = Path(diff_.nodes[node].parent);
    return (outer.empty() ? "" : outer + " ") + TakeText(&b);
  }

  // The times of a node in milliseconds, "5000 16000".
  std::string Times(const std::string &path, enum profile_value value) {
    std::string text;
    for (const auto &cost : diff_.nodes[numbers_.at(path)].costs[value])
      text += (text.empty() ? "" : " ") + std::to_string(cost.time / (TICKS_PER_NS * kMs));
    return text;
  }

  enum diff_verdict Judge(const std::string &path, enum profile_value value,
                          enum stack_diff_norm norm = STACK_DIFF_LENGTH) {
    return stack_diff_judge(&diff_, numbers_.at(path), value, norm);
  }

  std::unique_ptr<TwoRuns> runs_;
  struct stack_diff diff_ = {};
  std::map<std::string, size_t> numbers_{{"", 0}};
};

// A: price 50 ms and reserve 20 ms at 100 ticks; B: price 80 ms and reserve 20 ms at 200 ticks.
TEST_F(StackDiff, HasTheTimesOfBothRuns) {
  Read({}, {.seconds = 20, .price_ms = 80, .blocked_ms = 40});
  EXPECT_EQ(Times("", PROFILE_CPU), "7000 20000");
  EXPECT_EQ(Times("OrderService.run", PROFILE_CPU), "7000 20000");
  EXPECT_EQ(Times("OrderService.run OrderService.price", PROFILE_CPU), "5000 16000");
  EXPECT_EQ(Times("OrderService.run Inventory.reserve", PROFILE_CPU), "2000 4000");
  EXPECT_EQ(Times("OrderService.run Inventory.reserve", PROFILE_BLOCKED), "1000 8000");
  EXPECT_EQ(Times("OrderService.run Thread.sleep", PROFILE_WAITS), "500 1000");
  for (int value = 0; value < NUM_PROFILE_VALUES; value++) {
    for (int side = 0; side < 2; side++) {
      EXPECT_EQ(diff_.nodes[0].costs[value][side].time,
                profile_total(&diff_.runs[side]->profile, (enum profile_value)value).time);
    }
  }
}

TEST_F(StackDiff, JudgesByTheLengthOrByTheTotal) {
  Read({}, {.seconds = 20, .price_ms = 200, .blocked_ms = 40});
  EXPECT_EQ(Judge("", PROFILE_CPU), DIFF_MORE);
  EXPECT_EQ(Judge("OrderService.run OrderService.price", PROFILE_CPU), DIFF_MORE);
  EXPECT_EQ(Judge("OrderService.run Inventory.reserve", PROFILE_CPU), DIFF_SAME);
  EXPECT_EQ(Judge("OrderService.run Inventory.reserve", PROFILE_BLOCKED), DIFF_MORE);
  EXPECT_EQ(Judge("OrderService.run Thread.sleep", PROFILE_WAITS), DIFF_SAME);
  // Of the CPU time, reserve has 29 % in A and 9 % in B.
  EXPECT_EQ(Judge("", PROFILE_CPU, STACK_DIFF_TOTAL), DIFF_SAME);
  EXPECT_EQ(Judge("OrderService.run Inventory.reserve", PROFILE_CPU, STACK_DIFF_TOTAL), DIFF_LESS);
  EXPECT_EQ(Judge("OrderService.run Inventory.reserve", PROFILE_BLOCKED, STACK_DIFF_TOTAL),
            DIFF_SAME);
}

// The same verdict as the table of methods has for the methods that nothing else calls.
TEST_F(StackDiff, AgreesWithTheTableOfMethods) {
  for (int price : {48, 50, 52, 55, 70}) {
    stack_diff_free(&diff_);
    numbers_ = {{"", 0}};
    Read({}, {.price_ms = price});
    struct comparison c;
    ASSERT_TRUE(compare_runs(&c, diff_.runs[0], diff_.runs[1]));
    for (size_t i = 0; i < c.parts[COMPARE_METHODS].num; i++) {
      const struct diff_row &row = c.parts[COMPARE_METHODS].rows[i];
      bool is_price = row.sides[1].id == 0x10;
      EXPECT_EQ(Judge(is_price ? "OrderService.run OrderService.price"
                               : "OrderService.run Inventory.reserve",
                      PROFILE_CPU),
                row.verdict)
          << price;
    }
    EXPECT_EQ(Judge("", PROFILE_CPU), c.totals[COMPARE_METHODS].verdict) << price;
    comparison_free(&c);
  }
}

TEST_F(StackDiff, NewAndGoneStacks) {
  Read({.blocked_ms = 0}, {});
  EXPECT_EQ(Judge("OrderService.run Inventory.reserve", PROFILE_BLOCKED), DIFF_NEW);
  EXPECT_EQ(Judge("OrderService.run Inventory.reserve", PROFILE_CPU), DIFF_SAME);
  stack_diff_free(&diff_);
  numbers_ = {{"", 0}};
  Read({}, {.blocked_ms = 0});
  EXPECT_EQ(Judge("OrderService.run Inventory.reserve", PROFILE_BLOCKED), DIFF_GONE);
}

TEST_F(StackDiff, AFullTreeKeepsExactTimes) {
  Read({}, {.seconds = 20, .price_ms = 80}, 2);
  EXPECT_TRUE(diff_.full);
  EXPECT_EQ(diff_.num, 2u);
  EXPECT_EQ(Times("", PROFILE_CPU), "7000 20000");
  EXPECT_EQ(Times("OrderService.run", PROFILE_CPU), "7000 20000");
}

}  // namespace
