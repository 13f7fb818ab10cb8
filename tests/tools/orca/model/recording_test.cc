#include "tools/orca/model/recording.h"

#include "tests/tools/orca/model/cpu_lines.h"
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

std::string PutSampler(const struct model *m) {
  struct builder b = {};
  recording_put_sampler(&b, &m->recording);
  return TakeText(&b);
}

std::string FindFallback(const struct model *m) {
  struct span reason = {};
  return recording_sampler_fallback(&m->recording, m->dump, &reason)
             ? std::string(reason.data, reason.len)
             : "";
}

TEST(RecordingSampler, IsKnownFromTheLines) {
  SmallModel at_safepoints, by_signal, none;
  EXPECT_EQ(PutSampler(at_safepoints.Read()), "CPU time sampled at safepoints");
  AddCpuLines(&by_signal.files);
  EXPECT_EQ(PutSampler(by_signal.Read()), "CPU time sampled by signals");
  none.files.Write(DUMP_SAMPLES, "");
  EXPECT_EQ(PutSampler(none.Read()), "no CPU time sampled");
  EXPECT_TRUE(
      recording_samplers_differ(&at_safepoints.model.recording, &by_signal.model.recording));
  EXPECT_FALSE(recording_samplers_differ(&by_signal.model.recording, &by_signal.model.recording));
  EXPECT_FALSE(
      recording_samplers_differ(&at_safepoints.model.recording, &at_safepoints.model.recording));
  EXPECT_FALSE(recording_samplers_differ(&none.model.recording, &by_signal.model.recording));
}

TEST(RecordingSampler, ShowsWhyNotBySignal) {
  SmallModel without, with, by_signal;
  EXPECT_EQ(FindFallback(without.Read()), "");
  with.files.Append(DUMP_INFO, "sampler=safepoint\nsampler.fallback=no timer\n");
  EXPECT_EQ(FindFallback(with.Read()), "no timer");
  AddCpuLines(&by_signal.files);  // there are Cpu lines, so no fallback took place
  by_signal.files.Append(DUMP_INFO, "sampler.fallback=no timer\n");
  EXPECT_EQ(FindFallback(by_signal.Read()), "");
}

}  // namespace
