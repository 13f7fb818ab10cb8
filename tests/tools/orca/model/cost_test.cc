#include "tools/orca/model/cost.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

// A recording of 2 s. Method 10 is OrderService.price, method 11 OrderService.run, method 12
// Inventory.reserve.
class Cost : public testing::Test {
 protected:
  void Add(const std::string &event, int count = 1) {
    char time[32];
    for (int i = 0; i < count; i++) {
      snprintf(time, sizeof time, "100.%010d,", ++ticks_);
      events_ += time + event + "\n";
    }
  }
  const struct cost *Read(const std::string &options = "") {
    small_.files.Write(DUMP_EVENTS, events_);
    if (!options.empty()) small_.files.Replace(DUMP_INFO, "options=", "options=x," + options + ",");
    return &small_.Read()->cost;
  }

  SmallModel small_;
  std::string events_ = "100.0000000000,ThreadStarted,00000001,main\n";
  int ticks_ = 0;
};

constexpr char kNotify[] = "ObjectNotify,00000001,000000A1,2;00000012;00000000;00000010;00000000";
constexpr char kSleep[] = "ThreadSleep,00000001,1;00000012;00000000";
constexpr char kSlept[] = "ThreadSlept,00000001,1;00000012;00000000";

TEST_F(Cost, CountsEventsStacksAndFrames) {
  Add(kNotify, 3);
  Add(kSleep);
  Add(kSlept);
  const struct cost *c = Read();
  EXPECT_EQ(c->events, 6u);
  EXPECT_EQ(c->walks, 4u);  // the end of a call has the stack of its begin
  EXPECT_EQ(c->frames, 3 * 2 + 1u);
}

TEST_F(Cost, EstimatesTheTime) {
  Add(kNotify, 3);
  Add(kSleep);
  Add(kSlept);
  const struct cost *c = Read();
  uint64_t ns = 0;
  EXPECT_TRUE(cost_thread_ns(c, small_.dump, 0, &ns));
  EXPECT_EQ(ns, 2u * COST_LINE_NS + 4 * COST_STACK_NS + 7 * COST_CACHED_NS);
  EXPECT_TRUE(cost_thread_ns(c, small_.dump, 9, &ns));
  EXPECT_EQ(ns, 2u * COST_LINE_NS + 4 * COST_STACK_NS + 7 * COST_CACHED_NS + 9 * COST_SAMPLE_NS);
}

TEST_F(Cost, StacksCostMoreIfTheJvmWalksThem) {
  small_.files.Append(DUMP_INFO, "walk.fallback=no HotSpot\n");
  Add(kNotify, 3);
  const struct cost *c = Read();
  uint64_t ns = 0;
  EXPECT_TRUE(cost_thread_ns(c, small_.dump, 0, &ns));
  EXPECT_EQ(ns, 1u * COST_LINE_NS + 3 * COST_STACK_NS + 6 * COST_FRAME_NS);
}

TEST_F(Cost, KnowsTheCostOfAFrame) {
  Add(kNotify);
  Read();
  EXPECT_EQ(cost_frame_ns(small_.dump), COST_CACHED_NS);
}

// An older agent had an option for it.
TEST_F(Cost, KnowsTheCostOfAFrameInAnOlderRecording) {
  Add(kNotify);
  Read("walk=jvmti");
  EXPECT_EQ(cost_frame_ns(small_.dump), COST_FRAME_NS);
}

TEST_F(Cost, IsUnknownWithCallbacks) {
  small_.files.Replace(DUMP_INFO, "engine=weave", "engine=callbacks");
  Add(kNotify);
  const struct cost *c = Read();
  uint64_t ns = 0;
  EXPECT_FALSE(cost_thread_ns(c, small_.dump, 0, &ns));
  EXPECT_EQ(cost_frame_ns(small_.dump), 0);
}

TEST_F(Cost, IncludesPairsThatWereLeftOut) {
  small_.files.Append(DUMP_INFO, "threshold.pairs=100\n");
  Add(kNotify);
  const struct cost *c = Read();
  uint64_t ns = 0;
  EXPECT_EQ(cost_left_out(small_.dump), 100u);
  EXPECT_TRUE(cost_thread_ns(c, small_.dump, 0, &ns));
  EXPECT_EQ(ns, 101u * COST_LINE_NS + 101 * COST_STACK_NS + 202 * COST_CACHED_NS);
}

// The agent measured 3 us for each of 200 events. All 3 events of the program and 1 ThreadStarted
// count.
TEST_F(Cost, TakesTheMeasuredTimeOfAnEvent) {
  small_.files.Append(DUMP_INFO, "hooks.timed=200\nhooks.time=600000\n");
  Add(kNotify, 3);
  const struct cost *c = Read();
  uint64_t ns = 0;
  EXPECT_TRUE(cost_thread_ns(c, small_.dump, 5, &ns));
  EXPECT_NEAR(static_cast<double>(ns), 4 * 3000 + 5 * COST_SAMPLE_NS, 1);
  double usual = 1 * COST_LINE_NS + 3 * COST_STACK_NS + 6 * COST_CACHED_NS;
  EXPECT_NEAR(cost_scale(c, small_.dump), 4 * 3000 / usual, 1e-9);
}

TEST_F(Cost, APairThatWasLeftOutCountsAsTwoEvents) {
  small_.files.Append(DUMP_INFO, "threshold.pairs=100\nhooks.timed=200\nhooks.time=600000\n");
  Add(kNotify);
  const struct cost *c = Read();
  uint64_t ns = 0;
  EXPECT_TRUE(cost_thread_ns(c, small_.dump, 0, &ns));
  EXPECT_NEAR(static_cast<double>(ns), (2 + 200) * 3000, 1);
}

TEST_F(Cost, APairThatTookNoStackCostsLess) {
  small_.files.Append(DUMP_INFO, "threshold.pairs=100\nthreshold.young=90\n");
  Add(kNotify);
  const struct cost *c = Read();
  uint64_t ns = 0;
  EXPECT_EQ(cost_left_out(small_.dump), 100u);
  EXPECT_EQ(cost_young(small_.dump), 90u);
  EXPECT_TRUE(cost_thread_ns(c, small_.dump, 0, &ns));
  EXPECT_EQ(ns, 11u * COST_LINE_NS + 11 * COST_STACK_NS + 22 * COST_CACHED_NS + 90 * COST_YOUNG_NS);
}

TEST_F(Cost, IncludesWakeUpsThatWereLeftOut) {
  Add(kNotify);
  uint64_t without = 0, with = 0;
  const struct cost *none = Read();
  EXPECT_TRUE(cost_thread_ns(none, small_.dump, 0, &without));
  SmallModel other;
  other.files.Write(DUMP_EVENTS, events_);
  other.files.Append(DUMP_INFO, "threshold.wakes=1000\n");
  const struct cost *c = &other.Read()->cost;
  EXPECT_EQ(cost_wakes(other.dump), 1000u);
  EXPECT_TRUE(cost_thread_ns(c, other.dump, 0, &with));
  EXPECT_EQ(with - without, 1000u * COST_WAKE_NS);
}

TEST_F(Cost, AFewMeasuredEventsAreNoMean) {
  small_.files.Append(DUMP_INFO, "hooks.timed=99\nhooks.time=600000\n");
  Add(kNotify);
  const struct cost *c = Read();
  EXPECT_EQ(cost_scale(c, small_.dump), 1);
}

TEST_F(Cost, NamesTheSitesWithTheMostEvents) {
  Add(kNotify, 3);
  for (int i = 0; i < 2; i++) Add(kSleep), Add(kSlept);
  const struct cost *c = Read();
  struct cost_site site;
  ASSERT_TRUE(cost_site(c, 0, &site));
  EXPECT_EQ(site.kind, EVENT_THREAD_SLEEP);
  EXPECT_EQ(site.count, 4u);
  EXPECT_EQ(place_method(site.place), 0x12u);
  ASSERT_TRUE(cost_site(c, 1, &site));
  EXPECT_EQ(site.kind, EVENT_OBJECT_NOTIFY);
  EXPECT_EQ(site.count, 3u);
  ASSERT_TRUE(cost_site(c, 2, &site));
  EXPECT_EQ(site.kind, EVENT_THREAD_STARTED);
  EXPECT_EQ(site.place, 0u);
  EXPECT_FALSE(cost_site(c, 3, &site));
}

TEST_F(Cost, IsEmptyWithoutEvents) {
  events_.clear();
  const struct cost *c = Read();
  struct cost_site site;
  EXPECT_EQ(c->events, 0u);
  EXPECT_FALSE(cost_site(c, 0, &site));
}

}  // namespace
