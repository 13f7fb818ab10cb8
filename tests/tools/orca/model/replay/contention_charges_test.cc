#include "tests/tools/orca/model/replay/contention_script.h"

namespace {

// Who gets the time of a wait, and which part of it was hand-off.
const ContentionCase kCharges[] = {
    // 2 waits for 3, which releases the lock after 100 ms. 2 gets it 25 ms later.
    {"HandoffBeginsWithTheUnparkOfARelease",
     R"(  0 2 LockAcquire 3
        100 3 ThreadUnpark 2
        125 2 LockAcquired)",
     "2 for 3: 100, hand-off: 25"},
    // 3 wants the lock again before 2 gets it.
    {"HandoffGoesOnWhenTheLastHolderWaitsToo",
     R"(  0 2 LockAcquire 3
        100 3 ThreadUnpark 2
        105 3 LockAcquire 0
        125 2 LockAcquired
        130 2 ThreadUnpark 3
        133 3 LockAcquired)",
     "2 for 3: 100, 3 for 2: 5, hand-off: 48"},
    // 4 can get the lock when its wait for a condition times out, and release it when it waits
    // again.
    {"WaitsForConditionsMakeAHandoffUnknown",
     R"(  0 2 LockAcquire 3
        100 3 ThreadUnpark 2
        120 4 ConditionAwait A3
        150 2 LockAcquired)",
     "2 for 3: 100"},
    {"AnOwnerInALineEndsAHandoff",
     R"(  0 2 LockAcquire 3
        100 3 ThreadUnpark 2
        120 4 LockAcquire 3
        150 3 ThreadUnpark 2
        151 2 LockAcquired
        160 4 LockAcquired)",
     "2 for 3: 130, 4 for 2: 9 (0), 4 for 3: 30, hand-off: 2"},
    // The releases have lines, and the threads that get the lock first.
    {"HandoffIsExactWithLinesOfReleases",
     R"(-10 3 LockAcquire 0
        -10 3 LockAcquired
          0 2 LockAcquire 0
        100 3 LockRelease
        130 4 LockAcquire 0
        130 4 LockAcquired
        150 4 LockRelease
        151 2 LockAcquired)",
     "2 for 3: 100, 2 for 4: 20 (0), hand-off: 31", nullptr, ",locks=all"},
    // With monitors=all. 3 enters the monitor once more inside of its frame, and exits it twice.
    {"HandoffIsExactWithLinesOfExits",
     R"(-10 3 MonitorEntered @guarded
          0 2 MonitorContendedEnter 3
          5 4 MonitorContendedEnter 3
         10 3 MonitorEntered @inside
         20 3 MonitorExit @inside
         30 3 Sample @outside
         50 3 MonitorExit @guarded
         60 2 MonitorContendedEntered @guarded
         60 2 MonitorEntered @guarded
         80 2 ObjectWait @waiting
         90 4 MonitorContendedEntered @guarded)",
     "2 for 3: 50, 4 for 2: 20 (0), 4 for 3: 45, hand-off: 30"},
};

class ContentionCharges : public ContentionCases {};
TEST_P(ContentionCharges, GiveTheTimeOfAWait) { Run(); }
INSTANTIATE_TEST_SUITE_P(, ContentionCharges, testing::ValuesIn(kCharges), NameCase);

TEST_F(ContentionTest, KnowsNoHandoffIfLinesAreMissing) {
  small_.files.Replace(DUMP_INFO, "events.dropped=0", "events.dropped=1");
  small_.files.Write(DUMP_EVENTS, "");
  ReadScript(R"(  0 2 LockAcquire 3
                100 3 ThreadUnpark 2
                125 2 LockAcquired)");
  EXPECT_EQ(DescribeTimes(), "2 for 3: 100");
}

// With locks=all only the end of a wait shows whether its thread had to wait.
const ContentionCase kShares[] = {
    // 2 holds the other permit. 4 gets a free one after 10 ms, and needs no release for that.
    {"AnAcquisitionThatNeedsNotWaitAddsNothing",
     R"(-10 2 SemaphoreAcquire
        -10 2 SemaphoreAcquired
          0 4 SemaphoreAcquire
         10 4 SemaphoreAcquired
         50 2 SemaphoreRelease)",
     "", ""},
    {"AWaitThatAReleaseEndsAddsAllLocations",
     R"(-10 3 LockAcquire 0
        -10 3 LockAcquired @guarded
          0 2 LockAcquire 0
         30 3 Sample @inside
         70 3 Sample @guarded
        100 3 LockRelease
        110 2 LockAcquired)",
     "2 for 3: 100, hand-off: 10", "reserve:42: 40, -: 30, price:88: 30", ",locks=all"},
    {"AHolderThatComesBackHasOneShareOfEachLocation",
     R"(-10 3 LockAcquire 0
        -10 3 LockAcquired @guarded
          0 2 LockAcquire 0
         30 3 Sample @inside
         50 3 Sample @guarded
         70 3 Sample @inside
        100 3 LockRelease
        110 2 LockAcquired)",
     "2 for 3: 100, hand-off: 10", "reserve:42: 50, -: 30, price:88: 20", ",locks=all"},
    {"AWaitThatNeverEndsAddsItsShares",
     R"(   0 2 LockAcquire 3
        9000 3 ThreadSleep @inside)",
     "2 for 3: 9000", "-: 9000", ",locks=all"},
};

class ContentionShares : public ContentionCases {};
TEST_P(ContentionShares, AreAddedIfTheThreadHadToWait) { Run(); }
INSTANTIATE_TEST_SUITE_P(, ContentionShares, testing::ValuesIn(kShares), NameCase);

// The rows of shares are used again.
TEST_F(ContentionTest, SharesDoNotGrowWithEvents) {
  std::string script;
  for (int i = 0; i < 1000; i++) {
    std::string ms = std::to_string(i);
    script += ms + " 2 LockAcquire 3\n" + ms + ".2 3 ThreadSleep\n" + ms + ".3 3 ThreadSlept\n" +
              ms + ".4 2 LockAcquired\n";
  }
  small_.files.Replace(DUMP_INFO, "engine=weave", "engine=weave,locks=all");
  small_.files.Write(DUMP_EVENTS, "");
  ReadScript(script);
  EXPECT_EQ(DescribeTimes(), "2 for 3: 400 (1000)");
  EXPECT_LE(contention_.num_shares, 8u);
}

}  // namespace
