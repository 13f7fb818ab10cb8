#include "tools/orca/model/sampler.h"

#include "tests/tools/orca/model/cpu_lines.h"

namespace {

std::string Name(const struct model *m) {
  struct builder b = {};
  sampler_put_name(&b, m);
  return Taken(&b);
}

std::string Fallback(const struct model *m) {
  struct span reason = {};
  return sampler_fallback(m, &reason) ? std::string(reason.data, reason.len) : "";
}

TEST(Sampler, ByTheLines) {
  SmallModel at_safepoints, by_signal, none;
  EXPECT_EQ(Name(at_safepoints.Read()), "CPU time sampled at safepoints");
  AddCpuLines(&by_signal.files);
  EXPECT_EQ(Name(by_signal.Read()), "CPU time sampled by signals");
  none.files.Write(DUMP_SAMPLES, "");
  EXPECT_EQ(Name(none.Read()), "no CPU time sampled");
  EXPECT_TRUE(sampler_differs(&at_safepoints.model, &by_signal.model));
  EXPECT_FALSE(sampler_differs(&by_signal.model, &by_signal.model));
  EXPECT_FALSE(sampler_differs(&at_safepoints.model, &at_safepoints.model));
  EXPECT_FALSE(sampler_differs(&none.model, &by_signal.model));
}

TEST(Sampler, WhyNotBySignal) {
  SmallModel without, with, by_signal;
  EXPECT_EQ(Fallback(without.Read()), "");
  with.files.Append(DUMP_INFO, "sampler=safepoint\nsampler.fallback=no timer\n");
  EXPECT_EQ(Fallback(with.Read()), "no timer");
  AddCpuLines(&by_signal.files);  // Cpu lines are what is shown then
  by_signal.files.Append(DUMP_INFO, "sampler.fallback=no timer\n");
  EXPECT_EQ(Fallback(by_signal.Read()), "");
}

}  // namespace
