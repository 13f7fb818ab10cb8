#include "tests/tools/orca/answer/said.h"
#include "tests/tools/orca/model/cpu_lines.h"

namespace {

// Thread.yield is method 31; the stacks 7 and 8 are reserve > yield and reserve > yield0.
class FindSpin : public testing::Test {
 protected:
  FindSpin() {
    small_.files.Append(DUMP_METHODS,
                        "100.0000000000,00000031,yield,()V,000000C2,1;00000000;000001F0\n"
                        "100.0000000000,00000032,yield0,()V,000000C2,-1\n");
    small_.files.Append(DUMP_SAMPLES,
                        "105.5000000000,Stack,7,3;00000031;00000000;00000012;00000000;"
                        "00000011;00000000\n"
                        "105.5000000001,Stack,8,4;00000032;FFFFFFFF;00000031;00000000;"
                        "00000012;00000000;00000011;00000000\n");
    small_.files.Append(DUMP_INFO, "sampler=signal\n");
  }

  std::string SaySpin() { return Say(small_.Read(), {FINDING_spin}); }

  SmallModel small_;
};

TEST_F(FindSpin, NamesThreadsAndTheMethodThatLoops) {
  AddCpu(&small_.files, "00000002,20000000,7,Java", 30);
  AddCpu(&small_.files, "00000003,20000000,8,Vm", 30);
  AddCpu(&small_.files, "00000001,20000000,1,Java", 60);
  Said said(small_.Read());
  EXPECT_EQ(said.Text({FINDING_spin}),
            "* worker-1 and worker-2 spin: 50 % of the Java threads' CPU time is spent in "
            "Thread.yield, called by Inventory.reserve (Inventory.java:42). They wait without "
            "sleeping.\n");
  // The methods of the loop are told.
  EXPECT_TRUE(Has(said.Text({FINDING_cpu}), "is spent in OrderService.price (OrderService.java"))
      << said.Text();
}

TEST_F(FindSpin, NamesAThreadThatWaitsForACpuMeanwhile) {
  AddCpu(&small_.files, "00000002,20000000,7,Java", 60);
  small_.files.Append(DUMP_SAMPLES,
                      "108.0000000000,Sched,00000001,2000000000\n"
                      "108.0000000001,Sched,00000003,1500000000\n"
                      "108.0000000002,Sched,00000002,3000000000\n"
                      "108.0000000003,Process,9000000000,-1\n");
  Said said(small_.Read());
  std::string text = said.Text({FINDING_spin});
  EXPECT_TRUE(Has(text, "* worker-1 spins: ")) << text;
  EXPECT_TRUE(Has(text, " It waits without sleeping. Meanwhile main waited 2.00 s for a CPU, and "))
      << text;
  EXPECT_EQ(said.List({FINDING_spin, FINDING_cpu_wait}).at(0)->kind, FINDING_spin);
}

TEST_F(FindSpin, CountsTheTimeOfTheLoopItself) {
  AddCpu(&small_.files, "00000002,20000000,7,Java", 60);
  AddCpu(&small_.files, "00000002,20000000,4,Java", 20);
  std::string text = SaySpin();
  EXPECT_TRUE(Has(text,
                  "100 % of the Java threads' CPU time is spent in Inventory.reserve "
                  "(Inventory.java:42), 75 % of it in Thread.yield."))
      << text;
}

// A computation that lets others run now and then.
TEST_F(FindSpin, SaysNothingOfAMethodThatDoesMoreThanYield) {
  AddCpu(&small_.files, "00000002,20000000,7,Java", 40);
  AddCpu(&small_.files, "00000002,20000000,4,Java", 60);
  EXPECT_EQ(SaySpin(), "");
}

TEST_F(FindSpin, SaysNothingOfLittleTime) {
  AddCpu(&small_.files, "00000002,20000000,7,Java", 10);
  AddCpu(&small_.files, "00000001,20000000,1,Java", 200);
  EXPECT_EQ(SaySpin(), "");
}

TEST_F(FindSpin, SaysNothingWithoutSamples) { EXPECT_EQ(SaySpin(), ""); }

}  // namespace
