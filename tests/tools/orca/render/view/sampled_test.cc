#include "tests/tools/orca/model/cpu_lines.h"
#include "tests/tools/orca/render/view/shown.h"

namespace {

std::string Sampled(const struct model *m) {
  struct builder b = {};
  view_sampled(&b, m);
  return TakeText(&b);
}

TEST(ViewSampled, ShowsSamplesByCpuTime) {
  SmallModel small;
  AddCpuLines(&small.files);
  AddCpu(&small.files, "00000001,1,0,Lost");
  std::string text = ShowView(small.Read(), view_header);
  EXPECT_TRUE(Has(text, "CPU time  627 ms in Java threads: 0.06 CPUs busy on average\n")) << text;
  EXPECT_TRUE(
      Has(text,
          "Sampled   by CPU time every 20 ms: 44 samples, 1 lost; all threads 5 times, every "
          "2.00 s; this\n"
          "          stopped the JVM for 7.00 ms in total (0.1 %), longest pause 3.00 ms\n"))
      << text;
}

TEST(ViewSampled, ShowsWhySamplesAreAtSafepoints) {
  SmallModel small;
  small.files.Append(DUMP_INFO, "sampler=safepoint\nsampler.fallback=no perf events\n");
  std::string text = ShowView(small.Read(), view_header);
  EXPECT_TRUE(Has(text,
                  "\nCaution   the CPU shares come from samples at safepoints and can be badly "
                  "wrong, because sampling by\n"
                  "          signals was not possible: no perf events\n"))
      << text;
}

TEST(ViewSampled, WorksWithoutATickOrAnInterval) {
  SmallModel small;
  small.files.Write(DUMP_SAMPLES, "");
  small.files.Replace(DUMP_INFO, ",interval=20ms", "");
  AddCpu(&small.files, "00000001,1,0,Vm");
  EXPECT_EQ(Sampled(small.Read()), "by CPU time: 1 sample; all threads never");
}

TEST(ViewSampled, ShowsSamplesAtSafepoints) {
  SmallModel small;
  EXPECT_EQ(Sampled(small.Read()),
            "at safepoints, 5 times, every 2.00 s; this stopped the JVM for 7.00 ms in total "
            "(0.1 %), longest pause 3.00 ms");
}

}  // namespace
