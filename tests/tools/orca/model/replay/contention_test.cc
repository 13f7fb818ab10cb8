#include "tests/tools/orca/model/replay/contention_script.h"

namespace {

TEST_F(ContentionTest, GroupsLocksByClass) {
  small_.files.Replace(DUMP_OBJECTS, "000000A2,000000C1", "000000A2,000000C5");
  Read(nullptr, true);
  ASSERT_EQ(locks_->num, 2u);
  EXPECT_EQ(locks_->rows[0].num_objects, 2u);
  EXPECT_EQ(locks_->rows[0].object, 0u);
  EXPECT_EQ(DescribePlaces(), "price:88: 1625, reserve:42: 1500, -: 1000");
}

TEST_F(ContentionTest, AddsUpWhatEachThreadHeldOthersUp) {
  Read();
  size_t num;
  const struct tally_row *holders = tally_of(&contention_.lock_holders, locks_->rows[0].id, &num);
  ASSERT_EQ(num, 2u);
  EXPECT_EQ(holders[0].key, 3u);  // worker-2, while worker-1 waited for 0.5 s and 2 s
  EXPECT_EQ(holders[0].total, kSecond * 5 / 2);
  EXPECT_EQ(holders[1].key, 2u);
  EXPECT_LT(holders[1].total, holders[0].total);
  EXPECT_GT(holders[1].total, 0u);
  EXPECT_EQ(contention_time(&contention_.handoffs, locks_->rows[2].id), kSecond / 20);
}

TEST_F(ContentionTest, BlamesNoHolderThatIsNotKnown) {
  small_.files.Write(DUMP_EVENTS, "");
  ReadScript("0 2 MonitorContendedEnter 0\n250 2 MonitorContendedEntered");
  EXPECT_EQ(contention_.holder_places.num, 0u);
  EXPECT_EQ(contention_.lock_holders.num, 0u);
}

TEST_F(ContentionTest, AppliesTheFilter) {
  struct filter filter = {};
  filter.from = 109 * kSecond;
  filter.to = FILTER_NO_END;
  filter.threads = {{"worker-1"}, 1};
  Read(&filter);
  EXPECT_EQ(DescribeTimes(), "2 for 3: 1000");
}

TEST_F(ContentionTest, MemoryDoesNotGrowWithEvents) {
  std::string script;
  for (int i = 0; i < 2000; i++) {
    script += std::to_string(i) + " 2 MonitorContendedEnter 3\n" + std::to_string(i) +
              ".5 2 MonitorContendedEntered\n";
  }
  small_.files.Write(DUMP_EVENTS, "");
  ReadScript(script);
  EXPECT_EQ(DescribeTimes(), "2 for 3: 1000 (2000)");
  EXPECT_EQ(contention_.num_waits, 1u);
}

// 2,000 threads wait for one lock, whose holder has so many lines that to charge each waiter for
// each line would take minutes.
TEST_F(ContentionTest, GivesUpIfTooManyThreadsWait) {
  std::string script;
  for (int i = 1000; i < 3000; i++) script += "0 " + std::to_string(i) + " LockAcquire 3\n";
  for (int i = 0; i < 4000; i++) script += "1 3 ThreadSleep\n1 3 ThreadSlept\n";
  small_.files.Write(DUMP_EVENTS, "");
  ReadScript(script);
  EXPECT_TRUE(contention_.has_given_up);
  EXPECT_EQ(DescribeTimes() + DescribePlaces(), "");
  EXPECT_EQ(contention_.lock_holders.num, 0u);
}

// The filter shows only 2, but 4 gets the lock before 2.
TEST_F(ContentionTest, SeesTheOtherWaitersInSpiteOfAFilter) {
  struct filter filter = {};
  filter.to = FILTER_NO_END;
  filter.threads = {{"worker-1"}, 1};
  small_.files.Write(DUMP_EVENTS, "100.0000000000,ThreadStarted,00000002,worker-1\n");
  ReadScript(R"(  0 4 LockAcquire 3
                10 2 LockAcquire 3
               100 3 ThreadUnpark 4
               120 4 LockAcquired
               150 4 ThreadUnpark 2
               155 2 LockAcquired)",
             &filter);
  EXPECT_EQ(DescribeTimes(), "2 for 3: 90, 2 for 4: 30 (0), hand-off: 25");
}

}  // namespace
