#include "tools/orca/model/recording.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

TEST(Recording, CountsItsLines) {
  SmallModel small;
  const struct recording &r = small.Read()->recording;
  EXPECT_EQ(recording_time(&r), 10 * kSecond);
  EXPECT_TRUE(r.ended);
  EXPECT_FALSE(r.went_on);
  EXPECT_FALSE(r.cut);
  EXPECT_EQ(r.num_events, 22u);
  EXPECT_EQ(r.events[EVENT_MONITOR_CONTENDED_ENTER], 5u);
  EXPECT_EQ(r.events[EVENT_THREAD_STARTED], 4u);
  EXPECT_EQ(r.ticks, 5u);
  EXPECT_EQ(r.samples, 7u);
  EXPECT_EQ(r.pause_ns, 7 * kMs);
  EXPECT_EQ(r.longest_pause_ns, 3 * kMs);
  EXPECT_TRUE(r.cpu_known);
}

TEST(Recording, CountsShortCallsWhateverTheFilterSelects) {
  SmallModel small;
  AddShortCalls(&small.files);
  struct filter filter = MakeFilter(101 * kSecond, 102 * kSecond);
  const struct recording &r = small.Read(&filter)->recording;
  EXPECT_EQ(r.short_calls.num, 1710u);
  EXPECT_EQ(r.short_calls.total, kSecond * 6250 / 1000);
}

TEST(Recording, AKilledJvmEndsWithItsLastLine) {
  SmallModel small;
  small.files.Replace(DUMP_INFO, "end.monotonic=110.0000000000\n", "");
  small.files.Append(DUMP_EVENTS, "109.5000000000,Thread");
  const struct recording &r = small.Read()->recording;
  EXPECT_FALSE(r.ended);
  EXPECT_TRUE(r.cut);
  EXPECT_EQ(recording_time(&r), 9 * kSecond);
}

TEST(Recording, WithoutInfoItStartsAtItsFirstLine) {
  SmallModel small;
  small.files.Remove(DUMP_INFO);
  const struct recording &r = small.Read()->recording;
  EXPECT_EQ(r.start, 100 * kSecond);
  EXPECT_EQ(recording_time(&r), 9 * kSecond);
}

TEST(Recording, GoesOnAfterAFlushAndASnapshot) {
  const struct {
    const char *reason;
    bool went_on;
  } kEnds[] = {{"exit", false}, {"stop", false}, {"flush", true}, {"snapshot", true}};
  for (const auto &end : kEnds) {
    SmallModel small;
    small.files.Replace(DUMP_INFO, "end.reason=exit", std::string("end.reason=") + end.reason);
    EXPECT_EQ(small.Read()->recording.went_on, end.went_on) << end.reason;
  }
}

TEST(Recording, CanBeEmpty) {
  SmallModel small;
  small.files.Remove(DUMP_INFO);
  small.files.Write(DUMP_SAMPLES, "");
  small.files.Write(DUMP_EVENTS, "");
  const struct recording &r = small.Read()->recording;
  EXPECT_EQ(recording_time(&r), 0u);
  EXPECT_FALSE(r.cpu_known);
}

}  // namespace
