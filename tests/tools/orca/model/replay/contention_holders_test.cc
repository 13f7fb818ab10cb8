#include "tests/tools/orca/model/replay/contention_script.h"

namespace {

// What shows who holds a lock, and that a thread does not hold it any more.
const ContentionCase kHolders[] = {
    {"AnUnparkOutsideOfAReleaseReleasesNothing",
     R"(  0 2 LockAcquire 3
        100 3 ThreadUnpark 2 @unparking
        125 2 LockAcquired)",
     "2 for 3: 125"},
    // 3 releases the lock and gets it again before the woken 2 runs. When 3 acquired is not known,
    // but 2 ran within a millisecond.
    {"ASecondWakeUpShowsThatTheLockWasNotFree",
     R"(  0   2 LockAcquire 3
        100   3 ThreadUnpark 2
        200   3 ThreadUnpark 2
        300   3 ThreadUnpark 2
        300.5 2 LockAcquired)",
     "2 for 3: 298, hand-off: 0.5", "-: 298"},
    {"ASecondWakeUpShowsThatAlsoAfterAContendedAcquisition",
     R"(  0 2 LockAcquire 3
         10 3 ThreadUnpark 2
         11 2 LockAcquired
         20 2 LockAcquire 3
        100 3 ThreadUnpark 2
        200 3 ThreadUnpark 2
        210 2 LockAcquired)",
     "2 for 3: 189 (2), hand-off: 11"},
    {"AnotherThreadCanGetTheLockFirst",
     R"(  0 2 LockAcquire 3
        100 3 ThreadUnpark 2
        150 4 ThreadUnpark 2
        160 2 LockAcquired)",
     "2 for 3: 100, 2 for 4: 49 (0), hand-off: 10"},
    // The first hand-off takes 40 ms. So the woken thread may have run only after 40 ms the second
    // time.
    {"AWokenThreadMayTakeAsLongAsTheLongestHandoff",
     R"(  0 2 LockAcquire 3
         10 3 ThreadUnpark 2
         50 2 LockAcquired
        100 4 LockAcquire 2
        110 2 ThreadUnpark 4
        140 3 ThreadUnpark 4
        240 3 ThreadUnpark 4
        241 4 LockAcquired)",
     "2 for 3: 10, 4 for 2: 10 (0), 4 for 3: 60, hand-off: 41"},
    // A release wakes a waiter for a condition, which gets the lock without a line.
    {"TheHolderIsNotKnownAfterAReleaseForAConditionsWaiter",
     R"(  0 2 LockAcquire 3
        100 3 ThreadUnpark 4
        200 4 ThreadUnpark 2
        210 2 LockAcquired)",
     "2 for 3: 100, 2 for 4: 0 (0), hand-off: 10"},
    // A holder that puts into a queue still holds its own locks.
    {"AHolderThatWakesAThreadInAnotherCallReleasesNothing",
     R"(  0 2 LockAcquire 3
         50 4 QueueRemove A2
        100 3 ThreadUnpark 4
        110 4 QueueRemoved A2
        200 3 ThreadUnpark 2
        210 2 LockAcquired)",
     "2 for 3: 200, hand-off: 10"},
    // With locks=all a release has a line and an unpark.
    {"AnUnparkAfterTheLineOfTheReleaseAddsNothing",
     R"( -2 3 LockAcquire 0
         -1 3 LockAcquired
          0 2 LockAcquire 3
        100 3 LockRelease
        104 3 ThreadUnpark 2
        110 2 LockAcquired)",
     "2 for 3: 100, hand-off: 10", nullptr, ",locks=all"},
    {"AHolderThatWaitsForAConditionMayHaveReleasedTheLock",
     R"(  0 2 LockAcquire 3
        100 3 ConditionAwait A3
        150 2 LockAcquired)",
     "2 for 3: 100"},
    // 2 wants to write. 3 and 4 read. 4 still reads after the release of 3.
    {"AReaderThatReleasesTheLockIsNotItsHolder",
     R"(-10 3 ReadLockAcquire 0
        -10 3 ReadLockAcquired
          0 2 WriteLockAcquire 0
         10 4 ReadLockTryAcquire 0
         10 4 ReadLockTryAcquired
         50 3 ReadLockRelease
        100 4 ReadLockRelease
        110 2 WriteLockAcquired)",
     "2 for 3: 10", nullptr, ",locks=all"},
    // 2 wants to write, and 4 to read behind it. 3 reads.
    {"TheOnlyReaderIsTheHolder",
     R"(  0 2 WriteLockAcquire 0
          0 3 ReadLockHeld
         10 4 ReadLockAcquire 0
         10 3 ReadLockHeld
         90 3 ThreadUnpark 2
         95 2 WriteLockAcquired
         97 2 ThreadUnpark 4
         99 4 ReadLockAcquired)",
     "2 for 3: 90, 4 for 2: 2 (0), 4 for 3: 80, hand-off: 12"},
    {"AHolderThatIsBlockedOnTheSameMonitorHoldsNothing",
     R"(  0 2 MonitorContendedEnter 3
         50 3 MonitorContendedEnter 0
        100 2 MonitorContendedEntered
        110 3 MonitorContendedEntered)",
     "2 for 3: 50, 3 for 2: 10"},
    // The owner in the line of 3 is 2, whose own line comes later.
    {"AWaiterThatALineNamesIsNotItsOwnHolder",
     R"(-10 3 MonitorEntered @guarded
          0 2 MonitorContendedEnter 0
        100 3 MonitorExit @guarded
        105 3 MonitorContendedEnter 2
        110 2 MonitorContendedEntered @guarded
        150 3 MonitorContendedEntered @guarded)",
     "2 for 3: 100, 3 for 2: 45"},
    {"AWaiterThatAMonitorOwnerNamesIsNotItsOwnHolder",
     R"(  0 2 MonitorContendedEnter 3
         10 4 MonitorContendedEnter 3
         90 3 ThreadSleep
         91 3 ThreadSlept
        100 4 MonitorOwner 2
        105 2 MonitorContendedEntered
        150 4 MonitorContendedEntered)",
     "2 for 3: 91, 4 for 2: 50 (0), 4 for 3: 81"},
    // Other threads may get the monitor without a line.
    {"AWaitReleasesTheMonitor",
     R"(  0 2 MonitorContendedEnter 3
         50 3 ObjectWait @waiting
         90 2 MonitorContendedEntered)",
     "2 for 3: 50"},
    // The line says nothing about the wait of 4.
    {"AYoungMonitorOwnerHasHeldSinceTheWaitBegan",
     R"(  0 2 MonitorContendedEnter 0
          0 4 MonitorContendedEnter 0
         60 2 MonitorOwner 3
        100 2 MonitorContendedEntered
        100 4 MonitorContendedEntered)",
     "2 for 3: 100, 4 for 2: 0 (0), 4 for 3: 40"},
    // Nothing shows how long 3 held the monitor.
    {"AnOldMonitorOwnerHoldsFromNowOn",
     R"(   0 2 MonitorContendedEnter 3
        1500 2 MonitorOwner 4
        1600 2 MonitorContendedEntered)",
     "2 for 4: 100"},
};

class ContentionHolders : public ContentionCases {};
TEST_P(ContentionHolders, AreKnownFromLines) { Run(); }
INSTANTIATE_TEST_SUITE_P(, ContentionHolders, testing::ValuesIn(kHolders), NameCase);

}  // namespace
