#include "tools/orca/model/short_calls.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

TEST(ShortCalls, AddUp) {
  struct count_line line = {};
  line.is_short = true;
  line.count = 3;
  line.total_ns = 900;
  line.longest_ns = 500;
  struct short_calls sum = short_calls_read(&line);
  EXPECT_EQ(sum.num, 3u);
  EXPECT_EQ(sum.total, 900u * TICKS_PER_NS);
  EXPECT_EQ(sum.longest, 500u * TICKS_PER_NS);
  struct short_calls more = {2, 70, 60};
  short_calls_add(&sum, &more);
  EXPECT_EQ(sum.num, 5u);
  EXPECT_EQ(sum.total, 900u * TICKS_PER_NS + 70);
  EXPECT_EQ(sum.longest, 500u * TICKS_PER_NS);
}

// Counts and times are complete only if sums of the calls without lines complete them.
// Such a sum may be of the lock that the filter asks for.
TEST(ShortCalls, AreMissingIfASumWithoutAnObjectIsLeftOut) {
  struct filter lock = MakeFilter();
  lock.locks = {{"*Inventory*"}, 1};
  for (bool has_several : {false, true}) {
    SmallModel small;
    AddShortCalls(&small.files);
    if (has_several) {
      small.files.Append(DUMP_COUNTS,
                         "109.6000000000,MonitorContendedEnter,00000000,1,9000000,9000000,0\n");
      small.files.Replace(DUMP_INFO, "threshold.pairs=1710", "threshold.pairs=1711");
    }
    EXPECT_EQ(model_lacks_short_calls(small.Read(&lock)), has_several);
  }
}

TEST(ShortCalls, AreCompleteIfThereWereNone) {
  SmallModel small;
  small.files.Replace(DUMP_INFO, "engine=weave", "engine=weave,threshold=10ms");
  small.files.Append(DUMP_INFO, "threshold.pairs=0\n");
  EXPECT_EQ(model_short_coverage(small.Read()), SHORT_ALL);
}

// The sums of the flush do not contain what came after it.
TEST(ShortCalls, AreMissingIfTheJvmWasKilledAfterAFlush) {
  SmallModel small;
  AddShortCalls(&small.files);
  small.files.Replace(DUMP_INFO, "end.monotonic=110.0000000000", "end.monotonic=105.0000000000");
  EXPECT_EQ(model_short_coverage(small.Read()), SHORT_SOME);
}

TEST(ShortCalls, AreMissingWithoutTheirSums) {
  struct filter all = MakeFilter(), thread = all, code = all, lock = all;
  struct filter range = MakeFilter(101 * kSecond);
  thread.threads = {{"worker-1"}, 1};
  code.classes = {{"*"}, 1};
  lock.locks = {{"*"}, 1};
  const struct {
    bool has_sums, is_killed;
    const struct filter *filter;
    bool lacks;
  } cases[] = {
      {true, false, &all, false},  {false, false, &all, true}, {true, true, &all, true},
      {true, false, &lock, false}, {true, false, &code, true}, {true, false, &thread, true},
      {true, false, &range, true},
  };
  for (const auto &c : cases) {
    SmallModel small;
    AddShortCalls(&small.files);
    if (!c.has_sums) small.files.Write(DUMP_COUNTS, "");
    if (c.is_killed) small.files.Replace(DUMP_INFO, "end.monotonic=110.0000000000\n", "");
    EXPECT_EQ(model_lacks_short_calls(small.Read(c.filter)), c.lacks) << &c - cases;
  }
  SmallModel small;
  EXPECT_FALSE(model_lacks_short_calls(small.Read()));
}

}  // namespace
