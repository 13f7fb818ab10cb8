#include "tools/orca/render/view/process.h"

#include "tests/tools/orca/model/machine_dump.h"
#include "tests/tools/orca/render/view/shown.h"

namespace {

// The output with every paragraph on one line.
std::string Sentences(const struct model *m) {
  std::string text = ShowView(m, view_process_verdicts) + ShowView(m, view_overhead_verdicts);
  for (size_t at; (at = text.find("\n  ")) != std::string::npos;) text.replace(at, 3, " ");
  return text;
}

TEST(ViewProcess, TheHeaderShowsCpuTimeByOwner) {
  MachineModel small;
  std::string text = ShowView(small.Read(), view_header);
  EXPECT_TRUE(Has(text,
                  "CPU time  4.00 s of the process: 1.00 s in Java threads, 2.00 s JIT compiler, "
                  "500 ms GC, 380 ms\n          other, 120 ms ended or unknown threads\n"
                  "CPUs      0.40 busy on average, 2 allowed, quota 0.50; throttled for 1.50 s; "
                  "Java threads waited\n          4.00 s for a CPU\n"
                  "Pauses    3 times for GC, 750 ms in total (7.5 %), longest pause 400 ms\n"))
      << text;
  struct style wide = {200, false, nullptr};
  struct builder b = {};
  view_header(&b, &small.model, &wide);
  text = TakeText(&b);
  EXPECT_TRUE(Has(text, "500 ms GC, 380 ms other, 120 ms ended or unknown threads\n")) << text;
  EXPECT_TRUE(Has(text, "; Java threads waited 4.00 s for a CPU\n")) << text;
}

TEST(ViewProcess, ASmallUnknownRestCountsAsOther) {
  SmallModel small;
  small.files.Append(DUMP_SAMPLES,
                     "105.0000000000,Process,1009000000,-1\n105.1000000000,Pause,Gc,0\n");
  std::string text = ShowView(small.Read(), view_header);
  EXPECT_TRUE(Has(text,
                  "CPU time  1.01 s of the process: 1.00 s in Java threads, 0 s JIT compiler, 0 s "
                  "GC, 9.00 ms other\n"
                  "CPUs      0.10 busy on average\n"
                  "Pauses    1 time for GC, 0 s in total (0 %), longest pause 0 s\n"))
      << text;
}

TEST(ViewProcess, AnOlderRecordingHasNoRowsAndNoSentences) {
  SmallModel small;
  std::string text = ShowView(small.Read(), view_header);
  EXPECT_TRUE(Has(text, "CPU time  1.00 s in Java threads: 0.10 CPUs busy on average\nThreads "))
      << text;
  EXPECT_EQ(Sentences(&small.model), "");
}

TEST(ViewProcess, ReportsStarvationThrottlingAndPauses) {
  MachineModel small;
  EXPECT_EQ(
      Sentences(small.Read()),
      "* The program was starved: its threads waited 4.00 s of 5.00 s for a CPU (80 %); its quota "
      "is 0.50 CPUs.\n"
      "* The program was throttled by its cgroup 15 % of the time (quota 0.50 CPUs, 1.50 s of "
      "10.0 s).\n"
      "* The JIT compiler used 50 % of the CPU time of the process (2.00 s of 4.00 s).\n"
      "* The garbage collector stopped the program 3 times for 750 ms in total: 7.5 % of the "
      "time (longest 400 ms).\n");
}

TEST(ViewProcess, WaitsOfAProcessThatDoesNotFillItsCpusComeLast) {
  MachineModel small;
  small.files.Replace(DUMP_INFO, "cpus.quota=0.50", "cpus.quota=2.00");
  const struct model *m = small.Read();
  EXPECT_FALSE(Has(Sentences(m), "for a CPU"));
  std::string text = ShowView(m, view_process_waits);
  for (size_t at; (at = text.find("\n  ")) != std::string::npos;) text.replace(at, 3, " ");
  EXPECT_TRUE(
      Has(text,
          "* The program's threads waited 4.00 s of 5.00 s for a CPU (80 %), though it used only "
          "0.40 CPUs on average: at these moments other threads used the CPUs, of this program, "
          "of the JVM or of other programs.\n"))
      << text;
}

// worker-1 and worker-2 waited 29 s and ran 1 s, of 10 s.
TEST(ViewProcess, MoreReadyThreadsThanCpusAreReportedBeforeTheShares) {
  MachineModel small;
  small.files.Replace(DUMP_INFO, "cpus.quota=0.50", "cpus.quota=2.00");
  small.files.Append(DUMP_SAMPLES, "109.5000000000,Sched,00000003,25000000000\n");
  const struct model *m = small.Read();
  std::string text = Sentences(m);
  EXPECT_EQ(
      text.find("* The program was starved: its threads waited 29.0 s of 30.0 s for a CPU (97 %): "
                "on average "
                "3.0 of them ran or were ready to run; its quota is 2.00 CPUs, and it used 0.40 "
                "on average.\n"),
      0u)
      << text;
  EXPECT_EQ(ShowView(m, view_process_waits), "");
  EXPECT_GE(view_process_ns(m), 29'000'000'000u);
}

// 800 ms of 10 s.
TEST(ViewProcess, AShortWaitForACpuIsNotReported) {
  SmallModel small;
  small.files.Append(DUMP_SAMPLES,
                     "105.0000000003,Sched,00000002,800000000\n"
                     "105.0000000004,Process,1400000000,500000000\n");
  small.files.Append(DUMP_INFO, "cpus.allowed=2\n");
  EXPECT_EQ(ShowView(small.Read(), view_process_waits), "");
}

TEST(ViewProcess, UsualSharesAreNotReported) {
  SmallModel small;
  small.files.Append(DUMP_SAMPLES,
                     "105.0000000000,Pause,Gc,500000000\n"
                     "105.0000000001,Task,20,Jit,200000000,0,C2 CompilerThre\n"
                     "105.0000000002,Task,21,Gc,200000000,0,GC Thread#0\n"
                     "105.0000000003,Sched,00000002,250000000\n"
                     "105.0000000004,Process,1400000000,500000000\n");
  EXPECT_EQ(Sentences(small.Read()), "");
}

TEST(ViewProcess, ReportsACollectorThatUsesMuchCpuTime) {
  SmallModel small;
  small.files.Append(DUMP_SAMPLES,
                     "105.0000000002,Task,21,Gc,1000000000,0,GC Thread#0\n"
                     "105.0000000004,Process,2000000000,12000000000\n");
  EXPECT_EQ(
      Sentences(small.Read()),
      "* The program was throttled by its cgroup for 12.0 s, summed over CPUs (12.0 s of 10.0 "
      "s).\n"
      "* The garbage collector used 50 % of the CPU time of the process (1.00 s of 2.00 s).\n");
}

TEST(ViewProcess, ShowsOwnersAndTasks) {
  MachineModel small;
  const struct model *m = small.Read();
  EXPECT_EQ(ShowPage([&](struct page *p) { view_owners(p, m); }),
            "\nThe whole process\n"
            "CPU time of                on CPU  share  waiting for CPU\n"
            "Java threads               1.00 s   25 %           4.00 s\n"
            "JIT compiler               2.00 s   50 %           400 ms\n"
            "garbage collector          500 ms   12 %          50.0 ms\n"
            "other JVM threads          200 ms  5.0 %              0 s\n"
            "native threads            80.0 ms  2.0 %          7.00 ms\n"
            "Orca                       100 ms  2.5 %              0 s\n"
            "ended or unknown threads   120 ms  3.0 %                -\n");
  EXPECT_EQ(ShowView(m, view_tasks, 2),
            "\nThreads of the JVM, of native code and of Orca\n"
            "thread that is not Java  kind  tid  on CPU  of the process  waiting for CPU\n"
            "C2 CompilerThre          Jit    20  2.00 s            50 %           400 ms\n"
            "GC Thread#0              Gc     21  500 ms            12 %          50.0 ms\n"
            "    and 3 more\n");
  SmallModel old;
  EXPECT_EQ(ShowPage([&](struct page *p) { view_owners(p, old.Read()); }), "");
}

TEST(ViewProcess, JsonHasTheNumbersOrNull) {
  MachineModel small;
  std::string text = ShowPage([&](struct page *p) { view_facts(p, small.Read()); }, FORMAT_JSON);
  EXPECT_TRUE(Has(text, "\"process_cpu_ns\":4000000000")) << text;
  EXPECT_TRUE(Has(text, "\"jit_cpu_ns\":2000000000")) << text;
  EXPECT_TRUE(Has(text, "\"cpu_wait_ns\":4000000000")) << text;
  EXPECT_TRUE(Has(text, "\"gc_pauses\":3")) << text;
  EXPECT_TRUE(Has(text, "\"cpus_quota\":\"0.50\"")) << text;
  SmallModel old;
  text = ShowPage([&](struct page *p) { view_facts(p, old.Read()); }, FORMAT_JSON);
  EXPECT_TRUE(Has(text, "\"process_cpu_ns\":null")) << text;
}

}  // namespace
