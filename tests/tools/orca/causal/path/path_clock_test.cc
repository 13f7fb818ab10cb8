#include "tools/orca/causal/path/path_clock.h"

#include "tests/tools/orca/causal/told_trace.h"

namespace {

// main waits 4 of 5 s for the end of a, which releases a lock again and again.
constexpr char kRun[] =
    "0.0 main ThreadStarted\n"
    "0.0 a ThreadStarted\n"
    "1.0 main ThreadJoin a\n"
    "1.5 a LockAcquire l\n"
    "1.500001 a LockAcquired l\n"
    "4.0 a LockRelease l\n"
    "5.0 a ThreadEnded\n"
    "5.0001 main ThreadJoined a\n"
    "5.001 main ThreadEnded\n";

bool IsTimed(const std::string &loops) {
  ToldTrace told(kRun, loops.empty() ? "" : "\nclock.loops=" + loops + "\noptions=out,events=all,");
  struct path p = {};
  struct path_work work;
  bool is_timed = true;
  EXPECT_TRUE(path_start(&p, &told.trace));
  EXPECT_TRUE(path_main_work(&told.trace, &work));
  EXPECT_TRUE(path_find(&p, &work));
  EXPECT_TRUE(path_is_timed(&p, &is_timed));
  path_free(&p);
  return is_timed;
}

// Methods have the number of their thread: main is A1, a is A2. All frames are at location 0.
TEST(PathClock, ARunIsTimedIfMostOfItIsInALoopThatATimeEnds) {
  EXPECT_TRUE(IsTimed("000000A2;00000000;00000010"));
  EXPECT_TRUE(IsTimed("000000A1;00000000;00000010,000000A2;00000000;00000010"));
}

TEST(PathClock, ALoopElsewhereMakesNoRunTimed) {
  EXPECT_FALSE(IsTimed("000000A1;00000000;00000010")) << "main waits for another thread";
  EXPECT_FALSE(IsTimed("000000A2;00000001;00000010")) << "the thread is not in the loop";
  EXPECT_FALSE(IsTimed("00000099;00000000;00000010"));
}

TEST(PathClock, WithoutLoopsNothingIsKnown) {
  EXPECT_FALSE(IsTimed(""));
  EXPECT_FALSE(IsTimed("nonsense"));
  EXPECT_FALSE(IsTimed("000000A2;00000000"));
  EXPECT_FALSE(IsTimed("000000A2;00000000;00000010;00000001"));
}

}  // namespace
