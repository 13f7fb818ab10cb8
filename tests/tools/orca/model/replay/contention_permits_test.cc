#include "tests/tools/orca/model/replay/contention_script.h"

namespace {

const ContentionCase kPermits[] = {
    // The only permit: 3 has it for 100 ms; 2 gets it 20 ms later.
    {"HandoffIsTheTimeWithAFreePermit",
     R"(-20 3 SemaphoreAcquire
        -20 3 SemaphoreAcquired
          0 2 SemaphoreAcquire
        100 3 SemaphoreRelease
        120 2 SemaphoreAcquired)",
     "2 for 3: 100, hand-off: 20"},
    // Two permits: 3 still holds one while the other one is free and 4 comes. 4 does not wait
    // for 3.
    {"NobodyHoldsAFreePermit",
     R"(-20 3 SemaphoreAcquire
        -20 3 SemaphoreAcquired
        -19 1 SemaphoreAcquire
        -19 1 SemaphoreAcquired
          0 2 SemaphoreAcquire
        100 1 SemaphoreRelease
        110 4 SemaphoreAcquire
        120 2 SemaphoreAcquired
        150 3 SemaphoreRelease
        151 4 SemaphoreAcquired)",
     "hand-off: 31"},
    // 2 waits for two permits, so one that is free does not help it. After its release, 3 is not
    // the
    // holder.
    {"SeveralPermitsMakeTheHandoffUnknown",
     R"(-20 3 SemaphoreAcquire
        -20 3 SemaphoreAcquired
          0 2 SemaphoreAcquire @acquire(int)
         50 3 SemaphoreRelease
        100 4 SemaphoreRelease
        101 2 SemaphoreAcquired @acquire(int))",
     "2 for 3: 50"},
    // The threshold leaves out the acquisition of 4 that took the permit.
    {"AThresholdMakesTheHandoffUnknown",
     R"(  0 2 SemaphoreAcquire
         50 3 SemaphoreRelease
        100 4 SemaphoreRelease
        101 2 SemaphoreAcquired)",
     "", nullptr, ",threshold=10ms"},
    // A signal: drainPermits removes the permits of two old releases before 2 waits for the next
    // one.
    {"AWaiterThatCameLaterShowsThatFreePermitsAreGone",
     R"(-30 3 SemaphoreRelease
        -20 3 SemaphoreRelease
          0 2 SemaphoreAcquire
         90 3 SemaphoreRelease
         92 2 SemaphoreAcquired)",
     "hand-off: 2"},
    // Two permits, of which reducePermits removes the one that is released at 10. The queue is
    // never
    // empty.
    {"APermitThatIsFreeForLongDoesNotExist",
     R"(-20 3 SemaphoreAcquire
        -20 3 SemaphoreAcquired
        -20 4 SemaphoreAcquire
        -20 4 SemaphoreAcquired
          0 2 SemaphoreAcquire
          1 1 SemaphoreAcquire
         10 3 SemaphoreRelease
        211 4 SemaphoreRelease
        212 2 SemaphoreAcquired
        500 2 SemaphoreRelease
        503 1 SemaphoreAcquired)",
     "hand-off: 5"},
    // 2 holds the only permit, and 1 waits until 2 releases it. Later 3 acquires a free permit.
    {"UncontendedAcquisitionsDoNotCount",
     R"(   0 2 SemaphoreAcquire
           1 2 SemaphoreAcquired
        1000 1 SemaphoreAcquire
        2000 2 SemaphoreRelease
        2001 1 SemaphoreAcquired
        3000 3 SemaphoreAcquire
        3000 3 SemaphoreAcquired)",
     "1 for 2: 1000, hand-off: 1"},
};

class ContentionPermits : public ContentionCases {};
TEST_P(ContentionPermits, AreFreeAfterAReleaseUnlessTheyAreGone) { Run(); }
INSTANTIATE_TEST_SUITE_P(, ContentionPermits, testing::ValuesIn(kPermits), NameCase);

}  // namespace
