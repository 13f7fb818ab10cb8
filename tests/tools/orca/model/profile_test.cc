#include "tools/orca/model/profile.h"

#include <map>
#include <utility>

#include "tests/tools/orca/model/small_dump.h"

namespace {

class Profile : public testing::Test {
 protected:
  stack_id_t Intern(const std::string &text) {
    stack_id_t id = 0;
    EXPECT_TRUE(stacks_intern(&small_.model.stacks, small_.dump, Span(text), &id));
    return id;
  }

  struct profile_cost FindCost(uint32_t thread, const std::string &stack,
                               enum profile_value value) {
    size_t num;
    stack_id_t id = Intern(stack);
    const struct profile_row *rows = FindProfileRows(small_.model.profile, thread, &num);
    for (size_t i = 0; i < num; i++) {
      if (rows[i].stack == id) return rows[i].costs[value];
    }
    ADD_FAILURE() << "no row of thread " << thread << " at " << stack;
    return {};
  }
  void ExpectCost(uint32_t thread, const std::string &stack, enum profile_value value, ticks_t time,
                  uint64_t count) {
    struct profile_cost cost = FindCost(thread, stack, value);
    EXPECT_EQ(cost.time, time) << thread << " at " << stack;
    EXPECT_EQ(cost.count, count) << thread << " at " << stack;
  }

  SmallModel small_;
};

const char kPrice90[] = "2;00000010;00000010;00000011;00000000";
const char kReserve[] = "2;00000012;00000000;00000011;00000000";
const char kPrice88[] = "2;00000010;00000000;00000011;00000000";
const char kGet[] = "3;00000013;00000000;00000010;00000000;00000011;00000000";
const char kPriceTwice[] = "3;00000010;00000000;00000010;00000010;00000011;00000000";
const char kEPoll[] = "1;00000014;FFFFFFFF";

TEST_F(Profile, CpuTimeGoesToStacksInWhichTheThreadRan) {
  small_.Read();
  ExpectCost(2, kPrice90, PROFILE_CPU, kSecond * 3 / 10, 1);
  ExpectCost(2, kGet, PROFILE_CPU, kSecond * 3 / 10,
             1);  // 0.1 s are carried from when it was blocked
  ExpectCost(2, kPriceTwice, PROFILE_CPU, kSecond * 39 / 100, 1);
  ExpectCost(2, kReserve, PROFILE_CPU, 0, 0);
  ExpectCost(4, "0", PROFILE_CPU, kSecond / 100, 1);  // never seen running
  EXPECT_EQ(profile_total(&small_.model.profile, PROFILE_CPU).time,
            small_.model.cpu.total_ns * TICKS_PER_NS);
}

TEST_F(Profile, WallTimeIsFromASampleToTheNext) {
  small_.Read();
  ExpectCost(2, kPrice90, PROFILE_WALL, 1 * kSecond, 1);
  ExpectCost(2, kReserve, PROFILE_WALL, 1 * kSecond, 1);
  ExpectCost(2, kGet, PROFILE_WALL, 1 * kSecond, 1);
  ExpectCost(2, kPriceTwice, PROFILE_WALL, 6 * kSecond, 1);  // to the end
  ExpectCost(3, kPrice90, PROFILE_WALL, 1 * kSecond, 1);
  ExpectCost(3, kReserve, PROFILE_WALL, 5 * kSecond, 1);
  ExpectCost(4, kEPoll, PROFILE_WALL, 8 * kSecond, 1);  // until it ended
  EXPECT_EQ(profile_total(&small_.model.profile, PROFILE_WALL).time, 23 * kSecond);
}

TEST_F(Profile, SeparatesBlockedTimeFromOtherWaits) {
  small_.Read();
  ExpectCost(2, kReserve, PROFILE_BLOCKED, kSecond * 275 / 100, 3);
  ExpectCost(3, kPrice88, PROFILE_BLOCKED, kSecond * 1625 / 1000, 2);
  ExpectCost(3, "2;00000005;00000000;00000010;00000010", PROFILE_BLOCKED, kSecond * 75 / 100, 1);
  ExpectCost(2, "2;00000003;FFFFFFFF;00000012;00000000", PROFILE_WAITS, kSecond / 2, 1);
  ExpectCost(1, "2;00000001;FFFFFFFF;00000011;00000000", PROFILE_WAITS, kSecond * 15 / 10, 1);
  ExpectCost(1, "2;00000004;00000000;00000011;00000000", PROFILE_WAITS, 3 * kSecond, 1);
  EXPECT_EQ(profile_total(&small_.model.profile, PROFILE_BLOCKED).time, small_.model.locks.blocked);
  EXPECT_EQ(profile_total(&small_.model.profile, PROFILE_WAITS).time, 5 * kSecond);
}

TEST_F(Profile, RowsAreSortedByThreadAndStack) {
  const struct profile &p = small_.Read()->profile;
  for (size_t i = 1; i < p.num; i++) {
    EXPECT_LT(std::make_pair(p.rows[i - 1].thread, p.rows[i - 1].stack),
              std::make_pair(p.rows[i].thread, p.rows[i].stack));
  }
  size_t num = 1;
  EXPECT_EQ(FindProfileRows(p, 99, &num), nullptr);
  EXPECT_EQ(num, 0u);
}

TEST_F(Profile, FoldingKeepsTheSumsOfStacks) {
  const struct profile &p = small_.Read()->profile;
  std::map<stack_id_t, ticks_t> wall;
  for (size_t i = 0; i < p.num; i++) wall[p.rows[i].stack] += p.rows[i].costs[PROFILE_WALL].time;
  struct profile folded = {};
  ASSERT_TRUE(profile_fold(&p, &folded));
  ASSERT_EQ(folded.num, wall.size());
  for (size_t i = 0; i < folded.num; i++) {
    EXPECT_EQ(folded.rows[i].thread, 0u);
    EXPECT_EQ(folded.rows[i].costs[PROFILE_WALL].time, wall[folded.rows[i].stack]);
  }
  for (int v = 0; v < NUM_PROFILE_VALUES; v++) {
    enum profile_value value = static_cast<enum profile_value>(v);
    EXPECT_EQ(profile_total(&folded, value).time, profile_total(&p, value).time);
    EXPECT_EQ(profile_total(&folded, value).count, profile_total(&p, value).count);
  }
  EXPECT_EQ(profile_total(&p, PROFILE_BLOCKED).count, 6u);
  profile_free(&folded);
}

TEST_F(Profile, CanBeEmpty) {
  struct profile none = {}, folded = {};
  profile_sort(&none);
  EXPECT_TRUE(profile_fold(&none, &folded));
  EXPECT_EQ(folded.num, 0u);
  EXPECT_EQ(profile_total(&none, PROFILE_CPU).time, 0u);
}

TEST_F(Profile, FindsValuesByName) {
  for (int v = 0; v < NUM_PROFILE_VALUES; v++) {
    enum profile_value found = NUM_PROFILE_VALUES;
    EXPECT_TRUE(profile_value_find(profile_value_names[v], &found));
    EXPECT_EQ(found, v);
  }
  enum profile_value found;
  EXPECT_FALSE(profile_value_find("walls", &found));
}

}  // namespace
