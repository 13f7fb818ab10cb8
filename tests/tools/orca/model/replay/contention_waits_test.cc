#include "tests/tools/orca/model/replay/contention_script.h"

namespace {

const ContentionCase kWaits[] = {
    // The lock is free at the end, and the first waiter has not run yet. 4 holds it before.
    {"OpenWaitsCountUntilTheEnd",
     R"(   0 2 LockAcquire 3
          10 4 LockAcquire 3
         100 3 ThreadUnpark 4
         120 4 LockAcquired
        8000 4 ThreadUnpark 2)",
     "2 for 3: 100 (0), 2 for 4: 7880, 4 for 3: 90, hand-off: 40"},
    {"AHolderThatComesBackBlocksTheSameWait",
     R"(  0 2 LockAcquire 3
        100 3 ThreadUnpark 2
        150 4 ThreadUnpark 2
        200 3 ThreadUnpark 2
        210 2 LockAcquired)",
     "2 for 3: 149, 2 for 4: 49 (0), hand-off: 10"},
};

class ContentionWaits : public ContentionCases {};
TEST_P(ContentionWaits, CountOnce) { Run(); }
INSTANTIATE_TEST_SUITE_P(, ContentionWaits, testing::ValuesIn(kWaits), NameCase);

// worker-1 waits 0.5 s and at the end 2 s for worker-2. worker-2 waits 0.125 s and 1.5 s for
// worker-1. The wait of 0.25 s is not counted, because its holder is unknown. The
// hand-off is of the semaphore.
TEST_F(ContentionTest, CountsTheWaitsOfEachPairOfThreads) {
  Read();
  EXPECT_EQ(DescribeTimes(), "2 for 3: 2500 (2), 3 for 2: 1625 (2), hand-off: 50");
  ASSERT_EQ(contention_.num_pairs, 2u);
  EXPECT_EQ(contention_.pairs[0].blocked, 2u) << "the largest total comes first";
  EXPECT_EQ(contention_.pairs[0].longest, 2 * kSecond);
  size_t num;
  tally_of(&contention_.pair_locks, contention_.pairs[1].id, &num);
  EXPECT_EQ(num, 2u);
}

TEST_F(ContentionTest, CountsAWaitWhoseOwnerBecomesKnownLater) {
  small_.files.Replace(DUMP_EVENTS, "102.2500000000,",
                       "102.1000000000,MonitorOwner,00000002,000000A1,00000003,0\n102.2500000000,");
  Read();
  EXPECT_EQ(DescribeTimes(), "2 for 3: 2750 (3), 3 for 2: 1625 (2), hand-off: 50");
}

}  // namespace
