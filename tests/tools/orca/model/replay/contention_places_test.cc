#include "tests/tools/orca/model/replay/contention_script.h"

namespace {

// Where a holder is, and whether that shows that it has left the frame that acquired the monitor.
const ContentionCase kPlaces[] = {
    // 3 gets the lock at 50 ms; its samples before that show where it waited.
    {"APlaceFromBeforeTheAcquisitionIsNotThatOfTheHolder",
     R"(  0 2 LockAcquire 4
          5 3 LockAcquire 4 @guarded
         20 3 Sample @guarded
         50 3 LockAcquired @guarded
         80 3 Sample @inside
         90 3 ObjectNotifyAll A2 @outside
        100 3 ThreadUnpark 2
        100 2 LockAcquired)",
     "2 for 3: 50 (0), 2 for 4: 50, 3 for 4: 45",
     "-: 95, ?price:88: 30, reserve:42: 10, ?reserve:42: 10"},
    // 3 slept when it was seen. What it does after that is not known.
    {"APlaceThatTheHolderHasLeftIsOnlyWhereItWasLast",
     R"(  0 2 LockAcquire 4
          5 3 LockAcquire 4 @guarded
         10 3 LockAcquired @guarded
         20 3 ThreadSleep @inside
         25 3 Sample @inside
         50 3 ThreadSlept @inside
        100 2 LockAcquired)",
     "2 for 3: 90, 2 for 4: 10 (0), 3 for 4: 5",
     "?reserve:42: 50, reserve:42: 30, -: 15, ?price:88: 10"},
    // 3 acquired the monitor in price. It leaves price at 50 ms, and is inside again at 70 ms.
    // Other
    // threads may have held the monitor meanwhile.
    {"AHolderOutsideOfItsFrameHoldsNothing",
     R"(  0 2 MonitorContendedEnter 3
         10 3 MonitorHeld @guarded
         20 3 Sample @inside
         50 3 ThreadSleep @outside
         60 3 ThreadSlept @outside
         70 3 Sample @inside
        100 2 MonitorContendedEntered)",
     "2 for 3: 80", "reserve:42: 60, ?price:88: 20"},
    {"AStackWithAnotherOutermostMethodShowsNothing",
     R"(  0 2 MonitorContendedEnter 3
         10 3 MonitorHeld @guarded
         50 3 ObjectNotifyAll A2 @other root
        100 2 MonitorContendedEntered)",
     "2 for 3: 100", "?price:88: 100"},
    // The frame that acquired the monitor may be among those that were cut off.
    {"ACutStackShowsNothing",
     R"(  0 2 MonitorContendedEnter 3
         10 3 MonitorHeld @cut guarded
         50 3 ObjectNotifyAll A2 @cut outside
        100 2 MonitorContendedEntered)",
     "2 for 3: 100"},
    // 3 gets the monitor back in Object.wait, and holds it after the wait.
    {"TheFrameOfAWaitIsNotTheOneThatAcquiredTheMonitor",
     R"(  0 3 MonitorContendedEnter 4 @waiting
          5 2 MonitorContendedEnter 4
         10 3 MonitorContendedEntered @waiting
         20 3 ObjectNotifyAll A2 @inside
        100 2 MonitorContendedEntered)",
     "2 for 3: 90, 2 for 4: 5 (0), 3 for 4: 10"},
};

class ContentionPlaces : public ContentionCases {};
TEST_P(ContentionPlaces, ComeFromSamplesAndEvents) { Run(); }
INSTANTIATE_TEST_SUITE_P(, ContentionPlaces, testing::ValuesIn(kPlaces), NameCase);

// worker-2 was not seen during the waits from 101.0 to 101.5 and from 108.0 to 108.5. Then it is
// blocked itself, in price:88. While worker-2 waits for A1, the sample of worker-1 is in price:88,
// too. The last place is the holder of A2.
TEST_F(ContentionTest, FindsThePlacesOfHolders) {
  Read();
  EXPECT_EQ(DescribePlaces(), "price:88: 1625, -: 1000, reserve:42: 1500");
}

// Only those that were taken while another thread waited.
TEST_F(ContentionTest, CountsTheSamplesOfHolders) {
  small_.files.Write(DUMP_EVENTS, "");
  ReadScript(R"(  0 2 MonitorContendedEnter 3
          10 3 MonitorHeld @guarded
          20 3 Sample @inside
          30 2 Sample @guarded
          40 3 Sample @inside
         100 2 MonitorContendedEntered
         110 3 Sample @inside)");
  uint64_t samples = 0;
  for (size_t i = 0; i < contention_.holder_samples.num; i++) {
    samples += contention_.holder_samples.rows[i].count;
  }
  EXPECT_EQ(samples, 2u);
}

// The only event of a holder during a wait is at 103.0625.
TEST_F(ContentionTest, UsesTheLastEventIfThereIsNoSample) {
  small_.files.Write(DUMP_SAMPLES, "");
  small_.files.Replace(DUMP_EVENTS, "103.1250000000,",
                       "103.0625000000,ObjectNotifyAll,00000002,000000A1,"
                       "2;00000002;FFFFFFFF;00000012;00000000\n103.1250000000,");
  Read();
  EXPECT_EQ(DescribePlaces(), "price:88: 1500, -: 1062.5, ?reserve:42: 62.5, reserve:42: 1500");
}

}  // namespace
