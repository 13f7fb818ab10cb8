#include "tools/orca/model/sampler.h"

#include "tests/tools/orca/model/cpu_lines.h"

namespace {

std::string PutName(const struct model *m) {
  struct builder b = {};
  sampler_put_name(&b, m);
  return TakeText(&b);
}

std::string FindFallback(const struct model *m) {
  struct span reason = {};
  return sampler_fallback(m, &reason) ? std::string(reason.data, reason.len) : "";
}

TEST(Sampler, IsKnownFromTheLines) {
  SmallModel at_safepoints, by_signal, none;
  EXPECT_EQ(PutName(at_safepoints.Read()), "CPU time sampled at safepoints");
  AddCpuLines(&by_signal.files);
  EXPECT_EQ(PutName(by_signal.Read()), "CPU time sampled by signals");
  none.files.Write(DUMP_SAMPLES, "");
  EXPECT_EQ(PutName(none.Read()), "no CPU time sampled");
  EXPECT_TRUE(sampler_differs(&at_safepoints.model, &by_signal.model));
  EXPECT_FALSE(sampler_differs(&by_signal.model, &by_signal.model));
  EXPECT_FALSE(sampler_differs(&at_safepoints.model, &at_safepoints.model));
  EXPECT_FALSE(sampler_differs(&none.model, &by_signal.model));
}

TEST(Sampler, ShowsWhyNotBySignal) {
  SmallModel without, with, by_signal;
  EXPECT_EQ(FindFallback(without.Read()), "");
  with.files.Append(DUMP_INFO, "sampler=safepoint\nsampler.fallback=no timer\n");
  EXPECT_EQ(FindFallback(with.Read()), "no timer");
  AddCpuLines(&by_signal.files);  // there are Cpu lines, so no fallback took place
  by_signal.files.Append(DUMP_INFO, "sampler.fallback=no timer\n");
  EXPECT_EQ(FindFallback(by_signal.Read()), "");
}

}  // namespace
