#include "tests/tools/orca/model/replay/contention_script.h"

namespace {

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
