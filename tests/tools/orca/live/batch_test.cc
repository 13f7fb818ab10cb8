#include "tools/orca/live/batch.h"

namespace {

class BatchTest : public testing::Test {
 protected:
  BatchTest() { batches_.last = 100; }
  ~BatchTest() override { batches_free(&batches_); }

  void Add(ticks_t time, uint32_t sum, uint64_t num) {
    const struct short_calls calls = {num, 10 * num, num};
    ASSERT_TRUE(batches_line(&batches_, time, earliest_));
    ASSERT_TRUE(batches_add(&batches_, sum, &calls));
  }

  struct batches batches_ = {};
  ticks_t earliest_ = 0;
};

TEST_F(BatchTest, LinesThatFollowEachOtherAreOne) {
  Add(500000, 7, 1);
  Add(500001, 8, 2);
  ASSERT_TRUE(batches_line(&batches_, 500002, earliest_));  // of other calls
  ASSERT_EQ(batches_.num, 1u);
  EXPECT_EQ(batches_.rows[0].begin, 100u);
  EXPECT_EQ(batches_.rows[0].end, 500002u);
  ASSERT_EQ(batches_.rows[0].num, 2u);
  EXPECT_EQ(batches_.rows[0].sums[1].sum, 8u);
  EXPECT_EQ(batches_.rows[0].sums[1].calls.total, 20u);
}

// Also a batch that has no sums of waits ends the time of the one before.
TEST_F(BatchTest, ABatchBeginsAtTheEndOfTheOneBefore) {
  Add(500000, 7, 1);
  ASSERT_TRUE(batches_line(&batches_, 600000, earliest_));
  Add(700000, 7, 3);
  ASSERT_EQ(batches_.num, 3u);
  EXPECT_EQ(batches_.rows[1].begin, 500000u);
  EXPECT_EQ(batches_.rows[1].num, 0u);
  EXPECT_EQ(batches_.rows[2].begin, 600000u);
  EXPECT_EQ(batches_.rows[2].end, 700000u);
}

TEST_F(BatchTest, SeparatesLinesByTheGap) {
  Add(500000, 7, 1);
  Add(500000 + BATCH_GAP, 7, 1);
  EXPECT_EQ(batches_.num, 1u);
  Add(500000 + 2 * BATCH_GAP + 1, 7, 1);
  EXPECT_EQ(batches_.num, 2u);
}

// Only a broken file has such a line.
TEST_F(BatchTest, AnEarlierLineIsOfTheNewestBatch) {
  Add(500000, 7, 1);
  Add(600000, 7, 1);
  Add(100, 7, 1);
  ASSERT_EQ(batches_.num, 2u);
  EXPECT_EQ(batches_.rows[1].end, 600000u);
  EXPECT_EQ(batches_.rows[1].num, 2u);
}

TEST_F(BatchTest, KnowsNoBeginOfALineBeforeTheRecording) {
  Add(99, 7, 1);
  EXPECT_EQ(batches_.rows[0].begin, BATCH_NO_BEGIN);
  Add(500000, 7, 1);
  EXPECT_EQ(batches_.rows[1].begin, 99u);
}

TEST_F(BatchTest, HasNoCallsBeforeTheEarliestTime) {
  earliest_ = 300000;
  Add(500000, 7, 1);
  EXPECT_EQ(batches_.rows[0].begin, 300000u);
  Add(600000, 7, 1);
  EXPECT_EQ(batches_.rows[1].begin, 500000u);
  earliest_ = 800000;  // of a broken file
  Add(700000, 7, 1);
  EXPECT_EQ(batches_.rows[2].begin, 600000u);
}

TEST_F(BatchTest, ForgetsOldBatches) {
  Add(500000, 7, 1);
  Add(600000, 7, 2);
  Add(700000, 7, 3);
  batches_forget(&batches_, 500000);
  EXPECT_EQ(batches_.num, 3u);
  batches_forget(&batches_, 600001);
  ASSERT_EQ(batches_.num, 1u);
  EXPECT_EQ(batches_.rows[0].begin, 600000u);
  batches_forget(&batches_, 800000);
  EXPECT_EQ(batches_.num, 0u);
  Add(900000, 7, 4);
  EXPECT_EQ(batches_.rows[0].begin, 700000u);
}

}  // namespace
