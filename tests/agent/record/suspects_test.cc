#include "agent/record/suspects.h"

#include <vector>

#include "gtest/gtest.h"

namespace {

class Suspects : public testing::Test {
 protected:
  Suspects() { suspects_init(&suspects_); }
  struct suspects suspects_;
  uint32_t out_[SUSPECTS_MAX];
  size_t num_ = 0;
  uint64_t asked_ = 0;
};

TEST_F(Suspects, AQuestionAndItsAnswer) {
  const uint32_t question[] = {1, 2, 3}, answer[] = {3, 1};
  EXPECT_FALSE(suspects_take(&suspects_, out_, &num_, &asked_));
  ASSERT_TRUE(suspects_ask(&suspects_, question, 3, 77));
  EXPECT_FALSE(suspects_take(&suspects_, out_, &num_, &asked_));
  ASSERT_TRUE(suspects_wait(&suspects_));
  EXPECT_EQ(suspects_.num, 3u);
  EXPECT_EQ(suspects_.threads[2], 3u);
  suspects_answer(&suspects_, answer, 2);
  ASSERT_TRUE(suspects_take(&suspects_, out_, &num_, &asked_));
  EXPECT_EQ(std::vector<uint32_t>(out_, out_ + num_), (std::vector<uint32_t>{3, 1}));
  EXPECT_EQ(asked_, 77u);
  EXPECT_TRUE(suspects_ask(&suspects_, question, 3, 78));
}

TEST_F(Suspects, OneQuestionAtATime) {
  const uint32_t thread = 1;
  ASSERT_TRUE(suspects_ask(&suspects_, &thread, 1, 1));
  EXPECT_FALSE(suspects_ask(&suspects_, &thread, 1, 2));
  ASSERT_TRUE(suspects_wait(&suspects_));
  suspects_answer(&suspects_, &thread, 0);
  EXPECT_FALSE(suspects_ask(&suspects_, &thread, 1, 3));  // the answer is not taken
}

TEST_F(Suspects, TooManyAreCut) {
  std::vector<uint32_t> many(SUSPECTS_MAX + 5, 9);
  ASSERT_TRUE(suspects_ask(&suspects_, many.data(), many.size(), 1));
  EXPECT_EQ(suspects_.num, static_cast<size_t>(SUSPECTS_MAX));
}

TEST_F(Suspects, TheEndEndsTheWait) {
  suspects_end(&suspects_);
  EXPECT_FALSE(suspects_wait(&suspects_));
}

TEST_F(Suspects, ResetForgetsTheQuestion) {
  const uint32_t thread = 1;
  ASSERT_TRUE(suspects_ask(&suspects_, &thread, 1, 1));
  suspects_reset(&suspects_);
  suspects_end(&suspects_);
  EXPECT_FALSE(suspects_wait(&suspects_));
  EXPECT_TRUE(suspects_ask(&suspects_, &thread, 1, 2));
}

}  // namespace
