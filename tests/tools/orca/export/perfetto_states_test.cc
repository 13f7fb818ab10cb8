#include "tools/orca/export/perfetto_states.h"

#include "tests/tools/orca/export/trace_reader.h"

namespace {

std::vector<TraceEvent> States(Exported *e) {
  return Only(ReadTrace(e->ExportAs("perfetto")), 'X', "", TRACE_STATES);
}

TEST(PerfettoStates, WritesASliceForEachStateAndStack) {
  Exported e;
  std::string worker;
  ticks_t sum = 0;
  for (const TraceEvent &s : States(&e)) {
    sum += s.dur * TICKS_PER_NS;
    if (s.thread != 2) continue;
    worker += std::to_string(s.ts / 1000000000) + " " + s.name + " " + s.args["at"].text + "\n";
  }
  EXPECT_EQ(worker,
            "1 Runnable OrderService.price (OrderService.java:90)\n"
            "2 Blocked Inventory.reserve (Inventory.java:42)\n"
            "3 Runnable OrderService.price (OrderService.java:88)\n"
            "4 Runnable OrderService.price (OrderService.java:88)\n");
  EXPECT_EQ(sum, profile_total(&e.small.model.profile, PROFILE_WALL).time);
}

TEST(PerfettoStates, CpuTimeBelongsToItsSlice) {
  Exported e;
  std::vector<TraceEvent> states = States(&e);
  EXPECT_EQ(states.at(0).args["cpu ns"].Integer(),
            100 * kMs);  // contained in the line that ends the slice
}

TEST(PerfettoStates, ASliceSpansLinesOfTheSameState) {
  Exported e;
  e.files().Append(DUMP_SAMPLES,
                   "106.0000000000,Sample,00000003,Waiting,7,4\n"
                   "107.0000000000,Sample,00000003,Terminated,0,0\n"
                   "108.0000000000,Sample,00000003,Runnable,0,1\n");
  std::vector<TraceEvent> of_thread;
  for (const TraceEvent &s : States(&e)) {
    if (s.thread == 3) of_thread.push_back(s);
  }
  ASSERT_EQ(of_thread.size(), 3u);
  EXPECT_EQ(of_thread[1].name, "Waiting");
  EXPECT_EQ(of_thread[1].dur, 2000000000);
  EXPECT_EQ(of_thread[1].args["cpu ns"].Integer(), 7u);
  EXPECT_EQ(of_thread[2].ts, 8000000000);  // another thread with this hash
}

TEST(PerfettoStates, ClipsSlicesToTheFilter) {
  struct filter worker = {{{"worker-1"}, 1},           {},           {}, {},
                          101 * kSecond + kSecond / 4, 109 * kSecond};
  Exported e;
  e.small.Read(&worker);
  std::string text;
  uint64_t cpu = 0;
  for (const TraceEvent &s : States(&e)) {
    EXPECT_EQ(s.thread, 2u);
    text += s.name + " " + std::to_string(s.ts / 1000000) + " " + std::to_string(s.dur / 1000000) +
            "\n";
    if (s.args.Has("cpu ns")) cpu += s.args["cpu ns"].Integer();
  }
  EXPECT_EQ(text, "Runnable 1250 750\nBlocked 2000 1000\nRunnable 3000 1000\nRunnable 4000 5000\n");
  EXPECT_EQ(cpu, 690 * kMs);
}

TEST(PerfettoStates, AFilterForEventsHasNoStates) {
  struct filter joins = {{}, {}, {{"join"}, 1}, {}, 0, FILTER_NO_END};
  Exported e;
  e.small.Read(&joins);
  EXPECT_TRUE(States(&e).empty());
}

TEST(PerfettoStates, TheLastSliceEndsWithTheThread) {
  Exported e;
  for (const TraceEvent &s : States(&e)) {
    EXPECT_LE(s.ts + s.dur, s.thread == 4 ? 9000000000 : 10000000000);
  }
}

}  // namespace
