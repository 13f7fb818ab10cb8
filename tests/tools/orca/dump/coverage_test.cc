#include "tools/orca/dump/coverage.h"

#include <string>
#include <vector>

#include "tests/support/dump_files.h"

namespace {

std::string ToString(struct span s) { return std::string(s.data, s.len); }

ticks_t At(double seconds) { return static_cast<ticks_t>(seconds * 1e10); }

// The options of a recording that began at 100 s, and their changes.
class Coverage : public testing::Test {
 protected:
  Coverage() { WriteGoodDump(&files_); }
  ~Coverage() override { dump_close(dump_); }

  const struct coverage *Read() {
    struct builder why = {};
    dump_close(dump_);
    dump_ = dump_open(files_.Prefix().c_str(), &why);
    EXPECT_NE(dump_, nullptr);
    builder_free(&why);
    return dump_coverage(dump_);
  }
  // `changes`: lines without the key
  const struct coverage *Read(const std::string &options,
                              const std::vector<std::string> &changes = {}) {
    std::string info = "start.monotonic=100.0000000000\noptions=out," + options + "\n";
    for (const std::string &change : changes) info += "change=" + change + "\n";
    files_.Write(DUMP_INFO, info);
    return Read();
  }
  static std::string PutThreshold(const struct coverage *c) {
    struct builder b = {};
    coverage_put_threshold(&b, c);
    std::string text(b.data, b.len);
    builder_free(&b);
    return text;
  }

  DumpFiles files_;
  struct dump *dump_ = nullptr;
};

TEST_F(Coverage, ReturnsOptions) {
  const struct coverage *c = Read("interval=20ms,inter=,=20ms,overflow");
  struct span value;
  ASSERT_TRUE(coverage_option(c, OPTION_interval, &value));
  EXPECT_EQ(ToString(value), "20ms");
  EXPECT_FALSE(coverage_option(c, OPTION_overflow, &value));
  EXPECT_FALSE(coverage_option(c, OPTION_locks, &value));
  ASSERT_TRUE(coverage_constant(c, OPTION_locks, &value));
  EXPECT_EQ(ToString(value), "waits");
}

TEST_F(Coverage, ReturnsAValueThatHeldAllTheTime) {
  const struct coverage *c =
      Read("locks=all,threshold=1ms", {"101.0000000000,101.0000000000,set,threshold=2ms"});
  struct span value;
  ASSERT_TRUE(coverage_constant(c, OPTION_locks, &value));
  EXPECT_EQ(ToString(value), "all");
  EXPECT_FALSE(coverage_constant(c, OPTION_threshold, &value));
}

TEST_F(Coverage, IsLossyIfEventsWereDropped) {
  EXPECT_FALSE(coverage_is_lossy(Read()));
  EXPECT_TRUE(coverage_has_whole_pairs(Read()));
  files_.Replace(DUMP_INFO, "events.dropped=0", "events.dropped=1");
  EXPECT_TRUE(coverage_is_lossy(Read()));
  EXPECT_FALSE(coverage_has_whole_pairs(Read()));
  files_.Replace(DUMP_INFO, "events.dropped=1\n", "");
  EXPECT_FALSE(coverage_is_lossy(Read()));
  files_.Replace(DUMP_INFO, "overflow=wait", "overflow=drop");
  EXPECT_TRUE(coverage_is_lossy(Read()));
}

TEST_F(Coverage, KnowsTheDepthOfStacks) {
  EXPECT_EQ(Read("interval=20ms")->depth, SIZE_MAX);
  EXPECT_EQ(Read("depth=64")->depth, 64u);
  EXPECT_EQ(Read("depth=many")->depth, SIZE_MAX);
}

TEST_F(Coverage, HasTheGroupsThatWereRecordedAllTheTime) {
  EXPECT_TRUE(coverage_has_group(Read("locks=all"), GROUP_PARK));
  EXPECT_FALSE(coverage_has_group(Read("events=all-park"), GROUP_PARK));
  EXPECT_FALSE(coverage_groups_changed(Read("events=all-park")));
  const struct coverage *c =
      Read("events=all", {"104.0000000000,104.0000000000,set,events=all-park",
                          "105.0000000000,105.0000000000,set,events=all"});
  EXPECT_FALSE(coverage_has_group(c, GROUP_PARK));
  EXPECT_TRUE(coverage_has_group(c, GROUP_LOCK));
  EXPECT_TRUE(coverage_groups_changed(c));
}

TEST_F(Coverage, HasShortPairsWithoutAThreshold) {
  EXPECT_TRUE(coverage_has_short_pairs(Read("interval=20ms")));
  EXPECT_EQ(PutThreshold(Read("interval=20ms")), "the threshold");
  for (const char *zero : {"0", "0ms", "00.0s", ""}) {
    EXPECT_TRUE(coverage_has_short_pairs(Read(std::string("threshold=") + zero))) << zero;
  }
  const struct coverage *c = Read("threshold=10ms");
  EXPECT_FALSE(coverage_has_short_pairs(c));
  EXPECT_FALSE(coverage_has_whole_pairs(c));
  EXPECT_FALSE(coverage_threshold_changed(c));
  EXPECT_EQ(c->threshold_ns, 10000000u);
  EXPECT_EQ(PutThreshold(c), "10ms");
}

TEST_F(Coverage, KnowsTheLongestThreshold) {
  const struct coverage *c =
      Read("threshold=0", {"101.0000000000,102.0000000000,set,threshold=250us",
                           "103.0000000000,103.0000000000,set,threshold=2ms",
                           "104.0000000000,104.0000000000,set,threshold=0"});
  EXPECT_FALSE(coverage_has_short_pairs(c));
  EXPECT_TRUE(coverage_threshold_changed(c));
  EXPECT_EQ(c->threshold_ns, 2000000u);
  EXPECT_EQ(PutThreshold(c), "2ms");
}

TEST_F(Coverage, KnowsSinceWhenThereIsAThreshold) {
  const struct coverage *c =
      Read("threshold=1ms", {"103.0000000000,103.5000000000,set,threshold=0",
                             "105.0000000000,105.5000000000,set,threshold=2ms",
                             "106.0000000000,106.0000000000,set,threshold=4ms"});
  const struct {
    double time;
    bool is_on;
    double begin;
  } cases[] = {{102, true, 100}, {104, false, 100}, {105.1, true, 105}, {107, true, 105}};
  for (const auto &k : cases) {
    EXPECT_EQ(coverage_threshold_at(c, At(k.time)).is_on, k.is_on) << k.time;
    EXPECT_EQ(coverage_threshold_at(c, At(k.time)).begin, At(k.begin)) << k.time;
  }
  EXPECT_EQ(coverage_threshold_at(Read("interval=20ms"), At(101)).begin, UINT64_MAX);
}

TEST_F(Coverage, HasReleasesIfEachAcquisitionHasALine) {
  const struct coverage *c = Read("locks=all");
  EXPECT_TRUE(coverage_has_releases(c, LOCK_READ_SIDE));
  EXPECT_TRUE(coverage_has_releases_at(c, LOCK_READ_SIDE, At(101)));
  c = Read("locks=waits");
  EXPECT_FALSE(coverage_has_releases(c, LOCK_READ_SIDE));
  EXPECT_TRUE(coverage_has_releases(c, LOCK_SEMAPHORE));
  c = Read("locks=all,threshold=1ms");
  EXPECT_FALSE(coverage_has_releases(c, LOCK_LOCK));
  EXPECT_FALSE(coverage_has_releases(c, LOCK_SEMAPHORE));
  EXPECT_TRUE(coverage_has_releases(c, LOCK_MONITOR));
  EXPECT_FALSE(coverage_may_have_free(c, LOCK_LOCK, At(101)));
}

// locks=all from 102.5 to 104 s. The agent changes its hooks for half a second.
class CoverageOfChanges : public Coverage {
 protected:
  CoverageOfChanges()
      : c_(Read("locks=waits", {"102.0000000000,102.5000000000,set,locks=all",
                                "104.0000000000,104.5000000000,set,locks=waits"})) {}
  const struct coverage *c_;
};

TEST_F(CoverageOfChanges, KnowsWhichAcquisitionsHaveLines) {
  const struct {
    double time;
    bool has_releases, has_free;
  } cases[] = {{101, false, false},
               {102.1, false, true},
               {102.6, true, true},
               {104.1, false, true},
               {104.6, false, false}};
  for (const auto &k : cases) {
    EXPECT_EQ(coverage_has_releases_at(c_, LOCK_LOCK, At(k.time)), k.has_releases) << k.time;
    EXPECT_EQ(coverage_may_have_free(c_, LOCK_LOCK, At(k.time)), k.has_free) << k.time;
    EXPECT_TRUE(coverage_has_releases_at(c_, LOCK_SEMAPHORE, At(k.time))) << k.time;
    EXPECT_TRUE(coverage_has_releases_at(c_, LOCK_MONITOR, At(k.time))) << k.time;
  }
  EXPECT_FALSE(coverage_has_releases(c_, LOCK_LOCK));
  EXPECT_FALSE(coverage_lacks_counts(c_, LOCK_LOCK)); /* the agent counts from the beginning */
}

// Sums are written later than the calls.
TEST_F(CoverageOfChanges, KnowsWhenASumMayContainAcquisitionsThatNeedNotWait) {
  EXPECT_FALSE(coverage_had_free_before(c_, LOCK_LOCK, At(101)));
  EXPECT_TRUE(coverage_had_free_before(c_, LOCK_LOCK, At(102.1)));
  EXPECT_TRUE(coverage_had_free_before(c_, LOCK_WRITE_SIDE, At(109)));
  EXPECT_TRUE(coverage_had_free_before(c_, LOCK_SEMAPHORE, At(101)));
  EXPECT_FALSE(coverage_had_free_before(c_, LOCK_MONITOR, At(109)));
}

TEST_F(CoverageOfChanges, ForgetsTheHoldersOnceAtEachChange) {
  size_t next = 0;
  EXPECT_FALSE(coverage_forgets_holders(c_, &next, At(101)));
  EXPECT_TRUE(coverage_forgets_holders(c_, &next, At(102)));
  EXPECT_FALSE(coverage_forgets_holders(c_, &next, At(103)));
  EXPECT_TRUE(coverage_forgets_holders(c_, &next, At(109)));
  c_ = Read("locks=waits", {"102.0000000000,102.0000000000,set,interval=5ms",
                            "102.0000000000,102.0000000000,set,frob=5ms"});
  EXPECT_FALSE(coverage_forgets_holders(c_, &(next = 0), At(109)));
}

TEST_F(CoverageOfChanges, HadUsesAtTimes) {
  EXPECT_FALSE(coverage_has_uses(c_, LOCK_LOCK));
  EXPECT_TRUE(coverage_had_uses(c_, LOCK_LOCK));
  EXPECT_FALSE(coverage_had_uses(c_, LOCK_MONITOR));
}

TEST_F(Coverage, HasUsesIfTheyAreRecordedAllTheTime) {
  const struct coverage *c = Read("monitors=all,locks=all,owners=all");
  EXPECT_TRUE(coverage_has_uses(c, LOCK_LOCK));
  EXPECT_TRUE(coverage_has_uses(c, LOCK_MONITOR));
  EXPECT_TRUE(coverage_has_owners(c));
  c = Read("interval=20ms");
  EXPECT_FALSE(coverage_has_uses(c, LOCK_LOCK));
  EXPECT_FALSE(coverage_has_uses(c, LOCK_MONITOR));
  EXPECT_FALSE(coverage_had_uses(c, LOCK_LOCK));
  EXPECT_FALSE(coverage_has_owners(c));
  EXPECT_STREQ(coverage_uses_option(LOCK_MONITOR), "monitors=all");
  EXPECT_STREQ(coverage_uses_option(LOCK_LOCK), "locks=all");
}

TEST_F(Coverage, LacksCountsIfNothingTellsHowOftenALockWasAcquired) {
  const struct coverage *c = Read("locks=all", {"104.0000000000,104.5000000000,set,locks=waits"});
  EXPECT_TRUE(coverage_lacks_counts(c, LOCK_LOCK));
  EXPECT_FALSE(coverage_lacks_counts(c, LOCK_MONITOR));
  EXPECT_FALSE(coverage_lacks_counts(c, LOCK_SEMAPHORE));
  c = Read("locks=all", {"104.0000000000,104.5000000000,set,threshold=1ms"});
  EXPECT_TRUE(coverage_lacks_counts(c, LOCK_SEMAPHORE));
  c = Read("locks=all", {"104.0000000000,104.5000000000,set,events=lock"});
  for (enum lock_sort sort : {LOCK_MONITOR, LOCK_LOCK, LOCK_SEMAPHORE}) {
    EXPECT_TRUE(coverage_lacks_counts(c, sort));
  }
}

TEST_F(Coverage, KnowsWhichHooksMayHaveGone) {
  EXPECT_FALSE(coverage_monitor_hooks_changed(Read("locks=all")));
  const char *const options[] = {"events=all", "monitors=all", "filter=a.*", "track=a.B.c"};
  const bool uses[] = {true, true, true, false}, calls[] = {true, false, false, true};
  for (int i = 0; i < 4; i++) {
    const struct coverage *c =
        Read("locks=all", {std::string("104.0000000000,104.5000000000,set,") + options[i]});
    EXPECT_EQ(coverage_monitor_hooks_changed(c), uses[i]) << options[i];
    EXPECT_EQ(coverage_method_hooks_changed(c), calls[i]) << options[i];
  }
}

TEST_F(Coverage, HasAllCountsUnlessTheTableWasFull) {
  EXPECT_TRUE(coverage_has_exact_counts(Read("locks=waits")));
  EXPECT_FALSE(coverage_has_exact_counts(Read("locks=waits,threshold=1ms")));
  files_.Write(DUMP_INFO, "options=out,locks=waits\nlocks.full=3\n");
  EXPECT_FALSE(coverage_has_exact_counts(Read()));
}

TEST_F(Coverage, KnowsTheIntervalAtATime) {
  const struct coverage *c =
      Read("interval=20ms", {"102.0000000000,103.0000000000,set,interval=5ms"});
  EXPECT_TRUE(coverage_interval_changed(c));
  EXPECT_EQ(coverage_interval_ns(c, At(102.5)), 20000000u);
  EXPECT_EQ(coverage_interval_ns(c, At(103)), 5000000u);
  EXPECT_FALSE(coverage_interval_changed(Read("interval=20ms")));
  EXPECT_EQ(coverage_interval_ns(Read("locks=all"), At(103)), 0u);
}

// A reader that follows a recording asks again after dump_refresh.
TEST_F(Coverage, FollowsARecordingThatGrows) {
  const struct coverage *c = Read("locks=waits");
  files_.Append(DUMP_INFO, "change=102.0000000000,102.5000000000,set,locks=all\n");
  EXPECT_EQ(dump_refresh(dump_), DUMP_GROWS);
  EXPECT_TRUE(coverage_had_uses(c, LOCK_LOCK));
  EXPECT_TRUE(coverage_has_releases_at(c, LOCK_LOCK, At(103)));
}

class OptionChanges : public testing::Test {
 protected:
  ~OptionChanges() override {
    coverage_free(&coverage_);
    arena_free(&memory_);
  }
  void Add(const std::string &value) {
    EXPECT_TRUE(coverage_add_change(&coverage_, &memory_, {value.data(), value.size()}));
  }

  struct arena memory_ = {};
  struct coverage coverage_ = {};
};

TEST_F(OptionChanges, ReturnsTheChangesOfAnOption) {
  Add("1.5000000000,1.7500000000,set,locks=all");
  Add("1.5000000000,2.0000000000,set,threshold=0");
  Add("3.0000000000,3.5000000000,contention,locks=waits");
  const struct option_change *c = coverage_next_change(&coverage_, OPTION_locks, nullptr);
  ASSERT_NE(c, nullptr);
  EXPECT_EQ(c->from, 15000000000u);
  EXPECT_EQ(c->to, 17500000000u);
  EXPECT_EQ(ToString(c->cause), "set");
  EXPECT_EQ(ToString(c->value), "all");
  c = coverage_next_change(&coverage_, OPTION_locks, c);
  ASSERT_NE(c, nullptr);
  EXPECT_EQ(ToString(c->cause), "contention");
  EXPECT_EQ(coverage_next_change(&coverage_, OPTION_locks, c), nullptr);
  EXPECT_EQ(coverage_next_change(&coverage_, OPTION_depth, nullptr), nullptr);
}

TEST_F(OptionChanges, KeepsTheWholeValue) {
  Add("1.0000000000,1.0000000000,set,trigger=cpu>9%:locks=all;for=3s");
  Add("2.0000000000,2.0000000000,set,track=");
  EXPECT_EQ(ToString(coverage_next_change(&coverage_, OPTION_trigger, nullptr)->value),
            "cpu>9%:locks=all;for=3s");
  EXPECT_EQ(coverage_next_change(&coverage_, OPTION_track, nullptr)->value.len, 0u);
}

TEST_F(OptionChanges, IgnoresOtherText) {
  for (const char *text :
       {"", "1.0000000000,2.0000000000,set", "1.0000000000,2.0000000000,set,locks",
        "x,2.0000000000,set,locks=all", "2.0000000000,1.0000000000,set,locks=all",
        "1,2,set,locks=all", "1,2", "1.0000000000,,set,locks=all", ",,,="}) {
    Add(text);
  }
  EXPECT_EQ(coverage_.changes.num, 0u);
  Add("5.0000000000,6.0000000000,set,locks=all");
  Add("4.0000000000,6.0000000000,set,locks=waits"); /* not in order */
  EXPECT_EQ(coverage_.changes.num, 1u);
}

}  // namespace
