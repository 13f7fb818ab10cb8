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
          "including what it calls, by worker-1. These shares are rough: only 10 samples found a "
          "running thread.\n"))
      << text;
}

TEST(FindCpu, AFewSamplesAreNoProfile) {
  SmallModel small;
  EXPECT_TRUE(Has(SayCpu(&small),
                  "* The Java threads used 1.00 s of CPU time: 3 samples are too few for a "
                  "profile.\n"));
}

// Two of 50 samples say nothing.
TEST(FindCpu, AHottestMethodOfAFewSamplesIsChance) {
  SmallModel small;
  AddSamples(&small);
  Said said;
  said.answer.model = small.Read();
  small.model.cpu.num_samples = 50;
  small.model.cpu.total_ns *= 20;
  said.Find(find_cpu);
  EXPECT_EQ(said.Text({FINDING_cpu}), "");
  EXPECT_TRUE(Has(said.Text({FINDING_no_cpu}), "50 samples are too few for a profile."));
}

TEST(FindCpu, UsesCpuLines) {
  SmallModel small;
  AddCpuLines(&small.files);
  Said said;
  said.answer.model = small.Read();
  said.Find(find_cpu);
  std::string text = said.Text({FINDING_cpu});
  EXPECT_TRUE(Has(text,
                  "* 53 % of the Java threads' CPU time is spent in HashMap.get "
                  "(HashMap.java:571), by main; it is called most by OrderService.price "
                  "(OrderService.java:88), which takes 89 % including what it calls. "))
      << text;
  EXPECT_TRUE(Has(text,
                  " 37 % is spent in OrderService.price (OrderService.java:90). These shares "
                  "are rough: only 43 samples found a running thread.\n"))
      << text;
}

// worker-1 is stuck. 430 ms of CPU time in 10 s are no reason.
TEST(FindCpu, LeavesOutLittleTimeInAProgramThatDoesNotGoOn) {
  SmallModel small;
  AddCpuLines(&small.files);
  EXPECT_EQ(SayCpu(&small), "");
}

// 200 ms in 10 s: the program mostly waits, and 20 samples tell little of it.
TEST(FindCpu, AFewSamplesOfAProgramThatWaitsAreNoProfile) {
  SmallModel small;
  AddCpu(&small.files, "00000001,10000000,1,Java", 20);
  EXPECT_TRUE(Has(SayCpu(&small), "of CPU time: 20 samples are too few for a profile.\n"));
}

TEST(FindCpu, ShowsTheShareOfNativeCode) {
  SmallModel small;
  AddCpu(&small.files, "00000001,10000000,1,Native", 75);
  AddCpu(&small.files, "00000001,10000000,1,Java", 25);
  std::string text = SayCpu(&small);
  EXPECT_TRUE(Has(text,
                  "* 100 % of the Java threads' CPU time is spent in OrderService.price "
                  "(OrderService.java:90), 75 % of it in native code, by main.\n"))
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

// poller lives for 8.8 s and uses the CPU in EPoll.wait, which should wait.
std::string SayBusySelect(const std::string &waited) {
  SmallModel small;
  small.files.Append(DUMP_SAMPLES,
                     "105.5000000000,Stack,6,2;00000014;FFFFFFFF;00000011;00000000\n");
  AddCpu(&small.files, "00000004,50000000,6,Native", 60);
  small.files.Append(DUMP_SAMPLES, "109.9900000000,Sched,00000004," + waited + "\n");
  small.files.Append(DUMP_INFO, "sampler=signal\n");
  return SayCpu(&small);
}

TEST(FindCpu, CallsOfSelectThatReturnAtOnce) {
  std::string text = SayBusySelect("5000000000");
  EXPECT_TRUE(Has(text,
                  " These calls return without waiting, again and again: the thread was on a "
                  "CPU, or waited for one, for "))
      << text;
}

TEST(FindCpu, CallsOfSelectThatAlsoWait) {
  std::string text = SayBusySelect("1000000000");
  EXPECT_TRUE(Has(text, "EPoll.wait")) << text;
  EXPECT_FALSE(Has(text, "These calls")) << text;
}

TEST(FindCpu, AMethodOfTheJdkHasItsMainCaller) {
  SmallModel small;
  small.files.Replace(DUMP_SAMPLES, "Runnable,200000000,2", "Runnable,900000000,2");
  AddSamples(&small, 10000000, 2);
  std::string text = SayCpu(&small);
  EXPECT_TRUE(Has(text,
                  "spent in HashMap.get (HashMap.java:571), by worker-1; it is called most by "
                  "OrderService.price (OrderService.java:88), which takes 99 % including what it "
                  "calls."))
      << text;
}

// HashMap.get is always called by a class of the JDK, which has time of its own.
TEST(FindCpu, NamesTheClassOfTheJdkThatUsesAMethod) {
  SmallModel small;
  small.files.Append(DUMP_CLASSES,
                     "100.0000000000,000000D1,Ljava/util/HashSet$Big;,HashSet.java\n");
  small.files.Append(DUMP_METHODS,
                     "100.0000000000,00000041,add,()V,000000D1,1;00000000;00000007\n");
  small.files.Append(DUMP_SAMPLES,
                     "105.5000000000,Stack,7,3;00000013;00000000;00000041;00000000;"
                     "00000010;00000000\n"
                     "105.5000000000,Stack,8,2;00000041;00000000;00000010;00000000\n");
  AddCpu(&small.files, "00000001,10000000,7,Java", 60);
  AddCpu(&small.files, "00000001,10000000,8,Java", 40);
  EXPECT_EQ(SayCpu(&small),
            "* 100 % of the Java threads' CPU time is spent in HashSet$Big and what it calls, by "
            "main: 60 % in HashMap.get (HashMap.java:571); it is called most by OrderService.price "
            "(OrderService.java:88), which takes 100 % including what it calls.\n");
}

// AtomicBoolean.compareAndSet is a call of a variable handle.
TEST(FindCpu, NamesNoVariableHandles) {
  SmallModel small;
  small.files.Append(
      DUMP_CLASSES,
      "100.0000000000,000000D1,Ljava/lang/invoke/VarHandleGuards;,V.java\n"
      "100.0000000000,000000D2,Ljava/util/concurrent/atomic/AtomicBoolean;,A.java\n");
  small.files.Append(DUMP_METHODS,
                     "100.0000000000,00000041,guard,()V,000000D1,1;00000000;00000007\n"
                     "100.0000000000,00000042,compareAndSet,()Z,000000D2,1;00000000;00000008\n");
  small.files.Append(DUMP_SAMPLES,
                     "105.5000000000,Stack,7,4;00000013;00000000;00000041;00000000;00000042;"
                     "00000000;00000010;00000000\n");
  AddCpu(&small.files, "00000001,10000000,7,Java", 100);
  std::string text = SayCpu(&small);
  EXPECT_TRUE(Has(text, ", by main, called by AtomicBoolean; ")) << text;
}

// An anonymous class of the JDK says nothing to the user.
TEST(FindCpu, DoesNotNameAnonymousClassesOfTheJdk) {
  SmallModel small;
  small.files.Append(DUMP_CLASSES, "100.0000000000,000000D1,Ljava/lang/System$1;,System.java\n");
  small.files.Append(DUMP_METHODS,
                     "100.0000000000,00000041,start,()V,000000D1,1;00000000;00000007\n");
  small.files.Append(DUMP_SAMPLES,
                     "105.5000000000,Stack,7,3;00000013;00000000;00000041;00000000;"
                     "00000010;00000000\n");
  AddCpu(&small.files, "00000001,10000000,7,Java", 100);
  std::string text = SayCpu(&small);
  EXPECT_FALSE(Has(text, "System$1")) << text;
}

TEST(FindCpu, NamesTheClassThatOnlyCalls) {
  SmallModel small;
  small.files.Append(DUMP_CLASSES, "100.0000000000,000000D1,Ljava/util/HashSet;,HashSet.java\n");
  small.files.Append(DUMP_METHODS,
                     "100.0000000000,00000041,add,()V,000000D1,1;00000000;00000007\n");
  small.files.Append(DUMP_SAMPLES,
                     "105.5000000000,Stack,7,3;00000013;00000000;00000041;00000000;"
                     "00000010;00000000\n");
  AddCpu(&small.files, "00000001,10000000,7,Java", 100);
  std::string text = SayCpu(&small);
  EXPECT_TRUE(Has(text,
                  "* 100 % of the Java threads' CPU time is spent in HashMap.get "
                  "(HashMap.java:571), by main, called by HashSet; it is called most by "))
      << text;
}

// Methods of a package, in two threads. None of them has most of the time.
TEST(FindCpu, AddsUpThePackageOfManyMethods) {
  SmallModel small;
  for (int i = 0; i < 3; i++) {
    std::string n = std::to_string(i);
    small.files.Append(DUMP_CLASSES, "100.0000000000,000000D" + n + ",Ljava/util/regex/Pattern$" +
                                         std::string(1, static_cast<char>('A' + i)) +
                                         ";,Pattern.java\n");
    small.files.Append(DUMP_METHODS, "100.0000000000,0000004" + n + ",match,()V,000000D" + n +
                                         ",1;00000000;00000007\n");
    small.files.Append(DUMP_SAMPLES, "105.5000000000,Stack,2" + n + ",2;0000004" + n +
                                         ";00000000;00000010;00000000\n");
    AddCpu(&small.files, "00000002,20000000,2" + n + ",Java", 20);
    AddCpu(&small.files, "00000003,20000000,2" + n + ",Java", 10 + 3 * i);
  }
  EXPECT_EQ(SayCpu(&small),
            "* 100 % of the Java threads' CPU time is spent in java.util.regex and what it calls, "
            "by worker-1 and worker-2: 36 % in Pattern$C.match (Pattern.java:7); it is called most "
            "by OrderService.price (OrderService.java:88), which takes 100 % including what it "
            "calls. These shares are rough: only 99 samples found a running thread.\n");
}

// The CPU is the reason of the waits for it.
TEST(FindCpu, ComesBeforeTheWaitsForACpu) {
  SmallModel small;
  small.files.Append(DUMP_INFO, "cpus.allowed=1\n");
  AddCpu(&small.files, "00000002,20000000,1,Java", 200);
  small.files.Append(DUMP_SAMPLES,
                     "108.0000000000,Sched,00000002,6000000000\n"
                     "108.0000000001,Sched,00000003,5000000000\n"
                     "108.0000000002,Process,9000000000,-1\n");
  Said said(small.Read());
  EXPECT_EQ(said.List({FINDING_cpu, FINDING_cpu_wait}).at(0)->kind, FINDING_cpu);
  EXPECT_GT(said.List({FINDING_cpu_wait}).at(0)->weight, 0u);
}

TEST(FindCpu, NamesTheMethodsThatHaveMostOfTheTime) {
  SmallModel small;
  AddCpu(&small.files, "00000001,10000000,1,Java", 40);
  AddCpu(&small.files, "00000001,10000000,2,Java", 30);
  AddCpu(&small.files, "00000001,10000000,4,Java", 25);
  AddCpu(&small.files, "00000001,10000000,6,Java", 5);
  EXPECT_EQ(
      SayCpu(&small),
      "* 40 % of the Java threads' CPU time is spent in OrderService.price "
      "(OrderService.java:90), 70 % including what it calls, by main. 30 % is spent in "
      "HashMap.get (HashMap.java:571), called by OrderService.price (OrderService.java:88).\n");
}

TEST(FindCpu, NamesNoFurtherMethodWithASmallShare) {
  SmallModel small;
  AddCpu(&small.files, "00000001,10000000,1,Java", 55);
  AddCpu(&small.files, "00000001,10000000,4,Java", 4);
  AddCpu(&small.files, "00000001,10000000,0,Lost", 41);
  std::string text = SayCpu(&small);
  EXPECT_FALSE(Has(text, "Inventory.reserve")) << text;
}

TEST(FindCpu, SaysInHowManyClassesAMethodIs) {
  SmallModel small;
  small.files.Replace(DUMP_CLASSES, "Lcom/acme/OrderService;", "Lcom/acme/Query.0x00000008;");
  small.files.Append(DUMP_CLASSES,
                     "100.0000000000,000000D4,Lcom/acme/Query.0x00000009;,OrderService.java\n");
  small.files.Append(DUMP_METHODS,
                     "100.0000000000,00000030,price,()V,000000D4,"
                     "2;00000000;00000058;00000010;0000005A\n");
  AddCpu(&small.files, "00000001,10000000,1,Java", 100);
  std::string text = SayCpu(&small);
  EXPECT_TRUE(
      Has(text, " in Query.price (OrderService.java:90), in 2 classes of this name, by main.\n"))
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
