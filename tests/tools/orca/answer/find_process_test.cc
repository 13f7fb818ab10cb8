#include "tests/tools/orca/answer/said.h"
#include "tests/tools/orca/model/cpu_lines.h"
#include "tests/tools/orca/model/machine_dump.h"

namespace {

const Kinds kKinds = {FINDING_cpu_wait, FINDING_throttled, FINDING_jit, FINDING_gc,
                      FINDING_gc_pauses};

TEST(FindProcess, AnOlderRecordingHasNoFinding) {
  SmallModel small;
  EXPECT_EQ(Say(small.Read(), kKinds), "");
}

TEST(FindProcess, ReportsStarvationThrottlingAndPauses) {
  MachineModel small;
  EXPECT_EQ(
      Say(small.Read(), kKinds),
      "* The JIT compiler used 50 % of the CPU time of the process (2.00 s of 4.00 s).\n"
      "* The program was throttled by its cgroup 15 % of the time (quota 0.50 CPUs, 1.50 s of "
      "10.0 s).\n"
      "* The garbage collector stopped the program 3 times for 750 ms in total: 7.5 % of the "
      "time (longest 400 ms).\n"
      "* The program was starved: its threads waited 4.00 s of 5.00 s for a CPU (80 %); its quota "
      "is 0.50 CPUs.\n");
}

// Query.price runs in 20 hidden classes, which Query.reserve defines.
TEST(FindProcess, NamesMethodsThatTheJitCompilerCompilesAgainAndAgain) {
  MachineModel small;
  small.files.Append(DUMP_CLASSES,
                     "100.0000000000,000000D1,Ljava/lang/ClassLoader;,ClassLoader.java\n");
  small.files.Append(DUMP_METHODS, "100.0000000000,00000040,defineClass0,()V,000000D1,-1\n");
  for (int i = 0; i < 20; i++) {
    std::string digits = std::to_string(100 + i);
    small.files.Append(DUMP_CLASSES,
                       "100.0000000000,00000" + digits + ",LQuery.0x0" + digits + ";,Query.java\n");
    small.files.Append(DUMP_METHODS, "100.0000000000,00001" + digits + ",price,()V,00000" + digits +
                                         ",1;00000000;00000058\n");
    small.files.Append(DUMP_SAMPLES, "105.5000000000,Stack,1" + digits + ",1;00001" + digits +
                                         ";00000000\n105.5000000000,Cpu,00000001,50000000,1" +
                                         digits + ",Java\n");
  }
  small.files.Append(DUMP_SAMPLES,
                     "105.5000000000,Stack,9,2;00000040;FFFFFFFF;00000012;00000000\n"
                     "105.5000000000,Cpu,00000001,50000000,9,Java\n");
  Said said(small.Read());
  EXPECT_EQ(said.Text({FINDING_jit}),
            "* The JIT compiler used 50 % of the CPU time of the process (2.00 s of 4.00 s). "
            "Query.price ran in at least 20 classes of one origin: the JIT compiler compiles each "
            "on its own. Most CPU time to define classes is spent at Inventory.reserve "
            "(Inventory.java:42).\n");
  // With three of four seconds of the waits for a CPU.
  EXPECT_EQ(said.List({FINDING_jit}).at(0)->weight, 6 * kSecond);
}

// A pause stops all threads: there are 4.
TEST(FindProcess, PausesThatTakeMostOfTheTimeComeFirst) {
  MachineModel small;
  small.files.Append(DUMP_SAMPLES, "108.0000000000,Pause,Gc,5000000000\n");
  Said said(small.Read());
  EXPECT_EQ(said.List(kKinds).at(0)->kind, FINDING_gc_pauses);
  EXPECT_EQ(said.List(kKinds).at(0)->weight, static_cast<ticks_t>(4 * 5.75 * kSecond));
}

// There are 3 pauses of 750 ms.
TEST(FindProcess, CallsOfSystemGcAreNamedWithThePauses) {
  MachineModel small;
  small.files.Append(DUMP_CLASSES,
                     "100.0000000000,000000F1,Ljava/lang/System;,S.java\n"
                     "100.0000000000,000000F2,Ljava/nio/ByteBuffer;,B.java\n");
  small.files.Append(DUMP_METHODS,
                     "100.0000000000,00000061,gc,()V,000000F1,-1\n"
                     "100.0000000000,00000062,allocateDirect,()V,000000F2,-1\n");
  std::string direct = ",3;00000061;00000000;00000062;00000000;00000012;00000000\n";
  small.files.Append(DUMP_EVENTS, "109.1000000000,SystemGc,00000002" + direct +
                                      "109.2000000000,SystemGc,00000002" + direct);
  Said said(small.Read());
  EXPECT_TRUE(Has(said.Text({FINDING_gc_pauses}),
                  ". worker-1 called System.gc 2 times at Inventory.reserve (Inventory.java:42) in "
                  "ByteBuffer.allocateDirect: each call can stop it for a collection of the whole "
                  "heap.\n"))
      << said.Text();
}

// One call, of 3 pauses, matters; without a place of most calls none is named.
TEST(FindProcess, CallsOfSystemGcByTheProgramItself) {
  MachineModel small;
  small.files.Append(DUMP_CLASSES, "100.0000000000,000000F1,Ljava/lang/System;,S.java\n");
  small.files.Append(DUMP_METHODS, "100.0000000000,00000061,gc,()V,000000F1,-1\n");
  std::string events;
  for (const char *method : {"00000012", "00000012", "00000010"}) {
    events += "109.1000000000,SystemGc,00000002,2;00000061;00000000;" + std::string(method) +
              ";00000000\n";
  }
  small.files.Append(DUMP_EVENTS, events);
  Said said(small.Read());
  EXPECT_TRUE(Has(said.Text({FINDING_gc_pauses}),
                  ". worker-1 called System.gc 3 times mostly at Inventory.reserve "
                  "(Inventory.java:42): each call "))
      << said.Text();
}

// Allocating is a call of the JVM, so the place with most of its CPU time is told.
TEST(FindProcess, PausesNameThePlaceThatCallsTheJvm) {
  MachineModel small;
  small.files.Append(DUMP_INFO, "sampler=signal\n");
  AddCpu(&small.files, "00000001,10000000,1,Vm", 20);
  AddCpu(&small.files, "00000001,10000000,5,Java", 40);
  Said said(small.Read());
  EXPECT_TRUE(
      Has(said.Text({FINDING_gc_pauses}),
          " Java threads used 200 ms of CPU time in the JVM, mostly called at OrderService.price "
          "(OrderService.java:90): it may allocate memory there.\n"))
      << said.Text();
}

// Nine samples in the JVM are chance.
TEST(FindProcess, AFewSamplesInTheJvmNameNoPlace) {
  MachineModel small;
  small.files.Append(DUMP_INFO, "sampler=signal\n");
  AddCpu(&small.files, "00000001,10000000,1,Vm", 9);
  AddCpu(&small.files, "00000001,10000000,5,Java", 20);
  std::string text = Say(small.Read(), {FINDING_gc_pauses});
  EXPECT_FALSE(Has(text, "in the JVM")) << text;
}

// 3 pauses take 27 % of the time, and the program asks for each.
TEST(FindProcess, PausesThatTheProgramAsksForComeBeforeItsWork) {
  for (bool asks : {false, true}) {
    MachineModel small;
    small.files.Append(DUMP_INFO, "sampler=signal\n");
    small.files.Append(DUMP_CLASSES, "100.0000000000,000000F1,Ljava/lang/System;,S.java\n");
    small.files.Append(DUMP_METHODS, "100.0000000000,00000061,gc,()V,000000F1,-1\n");
    small.files.Append(DUMP_SAMPLES, "108.0000000000,Pause,Gc,2000000000\n");
    AddCpu(&small.files, "00000001,500000000,5,Java", 40);
    for (int i = 0; asks && i < 3; i++) {
      small.files.Append(
          DUMP_EVENTS, "109.1000000000,SystemGc,00000002,2;00000061;00000000;00000012;00000000\n");
    }
    Said said(small.Read());
    EXPECT_EQ(said.List({FINDING_gc_pauses, FINDING_cpu}).at(0)->kind,
              asks ? FINDING_gc_pauses : FINDING_cpu);
  }
}

TEST(FindProcess, WaitsOfAProcessThatDoesNotFillItsCpusComeLast) {
  MachineModel small;
  small.files.Replace(DUMP_INFO, "cpus.quota=0.50", "cpus.quota=2.00");
  Said said(small.Read());
  EXPECT_EQ(said.Text({FINDING_cpu_wait}),
            "* The program's threads waited 4.00 s of 5.00 s for a CPU (80 %), though it used only "
            "0.40 CPUs on average: at these moments other threads used the CPUs, of this program, "
            "of the JVM or of other programs.\n");
  EXPECT_EQ(said.List({FINDING_cpu_wait}).at(0)->weight, 0u);
  EXPECT_EQ(said.List(kKinds).back()->kind, FINDING_cpu_wait);
}

// worker-1 and worker-2 waited 29 s and ran 1 s, of 10 s: one thread too many for two CPUs. The
// process used 4 s of CPU time, half of them in the JIT compiler.
TEST(FindProcess, OnlyWaitsThatNoFreeCpuCouldEndAreThoseOfTheProgram) {
  MachineModel small;
  small.files.Replace(DUMP_INFO, "cpus.quota=0.50", "cpus.quota=2.00");
  small.files.Append(DUMP_SAMPLES, "109.5000000000,Sched,00000003,25000000000\n");
  Said said(small.Read());
  std::string text = said.Text(kKinds);
  EXPECT_NE(
      text.find("* The program was starved: its threads waited 29.0 s of 30.0 s for a CPU (97 %): "
                "on average 3.0 of them ran or were ready to run; its quota is 2.00 CPUs, and it "
                "used 0.40 on average.\n"),
      std::string::npos)
      << text;
  EXPECT_EQ(said.List({FINDING_cpu_wait}).at(0)->weight, 10 * kSecond / 4);
  EXPECT_EQ(said.List({FINDING_jit}).at(0)->weight, 2 * kSecond + 10 * kSecond / 2);
}

// 750 ms of 10 s.
TEST(FindProcess, APauseTakesTheTimeOfAllThreadsThatAreBusy) {
  for (ticks_t busy : {0, 5, 100}) {
    MachineModel small;
    Said said;
    said.answer.model = small.Read();
    for (ticks_t &time : small.model.spending.in_activity) time = 0;
    small.model.spending.in_activity[ACTIVITY_RUNS] = busy * kSecond;
    said.Find(find_process);
    ticks_t threads = busy > 10 ? busy / 10 : 1;
    EXPECT_EQ(said.List({FINDING_gc_pauses}).at(0)->weight, kSecond * 3 / 4 * threads);
  }
}

// 800 ms of 10 s.
// With patterns it is not known what the process used.
TEST(FindProcess, NothingIsSaidOfTheProcessWithPatterns) {
  SmallModel small;
  struct filter filter = MakeFilter();
  filter.threads = {{"worker-*"}, 1};
  struct model *m = small.Read(&filter);
  m->process = {};
  m->process.wait_known = true;
  m->process.java_wait_ns = 8000000000;
  m->cpu.total_ns = 2000000000;
  EXPECT_EQ(Say(m, {FINDING_cpu_wait}),
            "* The program's threads waited 8.00 s of 10.0 s for a CPU (80 %).\n");
}

TEST(FindProcess, AShortWaitForACpuIsNotReported) {
  SmallModel small;
  small.files.Append(DUMP_SAMPLES,
                     "105.0000000003,Sched,00000002,800000000\n"
                     "105.0000000004,Process,1400000000,500000000\n");
  small.files.Append(DUMP_INFO, "cpus.allowed=2\n");
  EXPECT_EQ(Say(small.Read(), {FINDING_cpu_wait}), "");
}

TEST(FindProcess, UsualSharesAreNotReported) {
  SmallModel small;
  small.files.Append(DUMP_SAMPLES,
                     "105.0000000000,Pause,Gc,500000000\n"
                     "105.0000000001,Task,20,Jit,200000000,0,C2 CompilerThre\n"
                     "105.0000000002,Task,21,Gc,200000000,0,GC Thread#0\n"
                     "105.0000000003,Sched,00000002,250000000\n"
                     "105.0000000004,Process,1400000000,500000000\n");
  EXPECT_EQ(Say(small.Read(), kKinds), "");
}

TEST(FindProcess, ReportsACollectorThatUsesMuchCpuTime) {
  SmallModel small;
  small.files.Append(DUMP_SAMPLES,
                     "105.0000000002,Task,21,Gc,1000000000,0,GC Thread#0\n"
                     "105.0000000004,Process,2000000000,12000000000\n");
  EXPECT_EQ(
      Say(small.Read(), kKinds),
      "* The program was throttled by its cgroup for 12.0 s, summed over CPUs (12.0 s of 10.0 "
      "s).\n"
      "* The garbage collector used 50 % of the CPU time of the process (1.00 s of 2.00 s).\n");
}

}  // namespace
