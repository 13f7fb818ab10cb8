#include "tools/orca/model/replay/slices.h"

#include <map>
#include <string>

#include "tests/tools/orca/model/small_dump.h"

namespace {

bool TakeStep(void *arg, const struct step *step) {
  return slices_take(static_cast<struct slices *>(arg), step);
}

class Slices : public testing::Test {
 protected:
  ~Slices() override { slices_free(&slices_); }

  void Read(size_t num_slices, size_t max = 1000, const struct filter *filter = nullptr) {
    struct model *m = small_.Read(filter);
    slices_start(&slices_, m, num_slices, max);
    ASSERT_TRUE(replay(m, REPLAY_LINES | SLICES_LINES, TakeStep, &slices_));
    ASSERT_TRUE(slices_end(&slices_));
  }

  // The sum over all slices is the profile.
  void ExpectTheProfile() {
    std::map<std::string, ticks_t> sums, wanted;
    for (size_t i = 0; i < slices_.num; i++) {
      const struct slices_row &row = slices_.rows[i];
      for (int value = 0; value < NUM_PROFILE_VALUES; value++)
        if (row.times[value] > 0) sums[Key(row.thread, row.stack, value)] += row.times[value];
    }
    for (size_t i = 0; i < small_.model.profile.num; i++) {
      const struct profile_row &row = small_.model.profile.rows[i];
      for (int value = 0; value < NUM_PROFILE_VALUES; value++)
        if (row.costs[value].time > 0)
          wanted[Key(row.thread, row.stack, value)] = row.costs[value].time;
    }
    EXPECT_EQ(sums, wanted);
  }

  ticks_t Time(uint32_t slice, uint32_t thread, enum profile_value value) {
    ticks_t sum = 0;
    for (size_t i = 0; i < slices_.num; i++) {
      const struct slices_row &row = slices_.rows[i];
      if (row.slice == slice && row.thread == thread) sum += row.times[value];
    }
    return sum;
  }

  SmallModel small_;
  struct slices slices_ = {};

 private:
  static std::string Key(uint32_t thread, stack_id_t stack, int value) {
    return std::to_string(thread) + " " + std::to_string(stack) + " " + profile_value_names[value];
  }
};

TEST_F(Slices, DivideTheProfile) {
  Read(10);
  ExpectTheProfile();
  EXPECT_EQ(slices_.step, kSecond + 1);
  // worker-1 is blocked from 101 to 101.5 s, and uses 300 ms up to 101 s.
  EXPECT_EQ(Time(0, 2, PROFILE_BLOCKED), 1u);  // a slice is a tick longer than a second
  EXPECT_EQ(Time(1, 2, PROFILE_BLOCKED), kSecond / 2 + 1);  // and 2 ticks from 102 s on
  EXPECT_EQ(Time(0, 2, PROFILE_CPU), kSecond * 3 / 10);
}

TEST_F(Slices, BecomeLongerIfThereAreTooManyRows) {
  Read(1000, 40);
  EXPECT_LE(slices_.num, 40u);
  EXPECT_GT(slices_.step, 2 * (kSecond / 100 + 1) - 1);
  ExpectTheProfile();
}

TEST_F(Slices, EndAsOneSliceOfTheWholeProfile) {
  Read(1000, 1);
  EXPECT_GT(slices_.step, 10 * kSecond);
  for (size_t i = 0; i < slices_.num; i++) EXPECT_EQ(slices_.rows[i].slice, 0u);
  ExpectTheProfile();
}

TEST_F(Slices, TheFilterApplies) {
  struct filter filter = MakeFilter(102 * kSecond, 105 * kSecond);
  filter.threads = {{"worker-1"}, 1};
  Read(10, 1000, &filter);
  EXPECT_EQ(slices_.start, 102 * kSecond);
  ASSERT_GT(slices_.num, 0u);
  for (size_t i = 0; i < slices_.num; i++) EXPECT_EQ(slices_.rows[i].thread, 2u);
  ExpectTheProfile();
}

}  // namespace
