#include "tools/orca/render/view/process.h"

#include "tests/tools/orca/model/machine_dump.h"
#include "tests/tools/orca/render/view/shown.h"

namespace {

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
  struct style wide = {200, false, false};
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

TEST(ViewProcess, AnOlderRecordingHasNoRows) {
  SmallModel small;
  std::string text = ShowView(small.Read(), view_header);
  EXPECT_TRUE(Has(text, "CPU time  1.00 s in Java threads: 0.10 CPUs busy on average\nThreads "))
      << text;
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
