#include "tests/tools/orca/answer/said.h"
#include "tests/tools/orca/model/cpu_lines.h"

namespace {

std::string SayCpu(SmallModel *small, const struct filter *filter = nullptr) {
  return Say(small->Read(filter), {FINDING_cpu, FINDING_no_cpu});
}

// The samples of worker-1 again and again: less than ten samples are no profile.
void AddSamples(SmallModel *small, int64_t cpu_ns = 10000000, int stack = 5) {
  for (int i = 0; i < 7; i++) {
    small->files.Append(DUMP_SAMPLES, "10" + std::to_string(i / 4 + 6) + "." +
                                          std::to_string(i % 4) + "000000000,Sample,00000002," +
                                          "Runnable," + std::to_string(cpu_ns) + "," +
                                          std::to_string(stack) + "\n");
  }
}

TEST(FindCpu, NamesTheHottestMethod) {
  SmallModel small;
  AddSamples(&small);
  std::string text = SayCpu(&small);
  EXPECT_TRUE(
      Has(text,
          "* 71 % of the CPU time is spent in OrderService.price (OrderService.java:88), 99 % "
          "including what it calls. These shares are rough: only 10 samples found a running "
          "thread.\n"))
      << text;
}

TEST(FindCpu, AFewSamplesAreNoProfile) {
  SmallModel small;
  EXPECT_TRUE(Has(SayCpu(&small),
                  "* The Java threads used 1.00 s of CPU time: 3 samples are too few for a "
                  "profile.\n"));
}

TEST(FindCpu, UsesCpuLines) {
  SmallModel small;
  AddCpuLines(&small.files);
  std::string text = SayCpu(&small);
  EXPECT_TRUE(Has(text,
                  "* 53 % of the Java threads' CPU time is spent in HashMap.get "
                  "(HashMap.java:571); it is called most by OrderService.price "
                  "(OrderService.java:88), which takes 89 % including what it calls. These shares "
                  "are rough: only 43 samples found a running thread.\n"))
      << text;
}

TEST(FindCpu, ShowsTheShareOfNativeCode) {
  SmallModel small;
  AddCpu(&small.files, "00000001,10000000,1,Native", 75);
  AddCpu(&small.files, "00000001,10000000,1,Java", 25);
  std::string text = SayCpu(&small);
  EXPECT_TRUE(Has(text,
                  "* 100 % of the Java threads' CPU time is spent in OrderService.price "
                  "(OrderService.java:90), 75 % of it in native code.\n"))
      << text;
}

TEST(FindCpu, SaysHowMuchTimeHasNoKnownStack) {
  SmallModel small;
  AddCpuLines(&small.files);
  AddCpu(&small.files, "00000001,1000000000,0,Lost");
  std::string text = SayCpu(&small);
  EXPECT_TRUE(Has(text,
                  " The stack of 62 % of that time, or its outer part, is not known: it was lost "
                  "or not sampled."))
      << text;
}

TEST(FindCpu, AMethodOfTheJdkHasItsMainCaller) {
  SmallModel small;
  small.files.Replace(DUMP_SAMPLES, "Runnable,200000000,2", "Runnable,900000000,2");
  AddSamples(&small, 10000000, 2);
  std::string text = SayCpu(&small);
  EXPECT_TRUE(Has(text,
                  "spent in HashMap.get (HashMap.java:571); it is called most by "
                  "OrderService.price (OrderService.java:88), which takes 99 % including what it "
                  "calls."))
      << text;
}

TEST(FindCpu, SaysThatTheJvmReportsNoCpuTime) {
  SmallModel small;
  small.files.Write(DUMP_SAMPLES,
                    "101.0000000000,Tick,1,0,1\n101.0000000000,Sample,00000001,Runnable,-1,0\n");
  EXPECT_TRUE(Has(SayCpu(&small), "* The JVM did not report the CPU time of its threads.\n"));
}

TEST(FindCpu, SaysNothingIfAFilterLeavesOutSamples) {
  SmallModel small;
  struct filter filter = MakeFilter();
  filter.locks = {{"Inventory"}, 1};
  EXPECT_EQ(SayCpu(&small, &filter), "");
}

}  // namespace
