#include "tests/tools/orca/export/trace_reader.h"
#include "tests/tools/orca/model/machine_dump.h"
#include "tools/orca/export/trace.h"

namespace {

constexpr long long kNsPerS = 1000000000;

TEST(PerfettoProcess, WritesPausesAndBusyCpus) {
  Exported e;
  AddMachine(&e.small.files);
  std::vector<TraceEvent> events = ReadTrace(e.ExportAs("perfetto"));
  std::vector<TraceEvent> pauses = Only(events, 'X', "GC pause", TRACE_PROCESS);
  ASSERT_EQ(pauses.size(), 3u);
  EXPECT_EQ(pauses[0].group, unsigned{TRACE_PROCESS});
  long long sum = 0;
  for (const TraceEvent &pause : pauses) sum += pause.dur;
  EXPECT_EQ(sum, 750 * kNsPerS / 1000);
  std::vector<TraceEvent> busy = Only(events, 'C', "CPUs busy", TRACE_PROCESS);
  ASSERT_EQ(busy.size(), 2u);
  EXPECT_EQ(busy[0].ts, 0);
  EXPECT_EQ(busy[0].args["JIT compiler"].text, "0.299");
  EXPECT_EQ(busy[0].args["whole process"].text, "0.499");
}

TEST(PerfettoProcess, AnOlderRecordingHasNoProcess) {
  Exported e;
  std::vector<TraceEvent> events = ReadTrace(e.ExportAs("perfetto"));
  EXPECT_TRUE(Only(events, 'X', "GC pause", TRACE_PROCESS).empty());
  EXPECT_TRUE(Only(events, 'C', "CPUs busy", TRACE_PROCESS).empty());
}

}  // namespace
