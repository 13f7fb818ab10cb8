#include "tools/orca/export/perfetto_states.h"

#include <map>
#include <utility>

#include "tests/tools/orca/export/trace_reader.h"

namespace {

std::vector<TraceEvent> States(Exported *e) {
  return Only(ReadTrace(e->ExportAs("perfetto")), 'X', "", TRACE_STATES);
}

std::string Place(const TraceEvent &s) { return s.args.Has("at") ? s.args["at"].text : "-"; }

// The states are those of tests/tools/orca/model/replay/timeline_test.cc.
TEST(PerfettoStates, WritesASliceForEachStateAndStack) {
  Exported e;
  std::string worker;
  for (const TraceEvent &s : States(&e)) {
    if (s.thread != 2) continue;
    worker += std::to_string(s.ts / 1000000) + " " + s.name + " " + Place(s) + "\n";
  }
  EXPECT_EQ(worker,
            "100 in no call -\n"
            "1000 blocked Inventory.reserve (Inventory.java:42)\n"
            "1500 running -\n"
            "2000 blocked Inventory.reserve (Inventory.java:42)\n"
            "2250 running -\n"
            "3000 running OrderService.price (OrderService.java:88)\n"
            "4000 running OrderService.price (OrderService.java:88)\n"
            "6000 sleeping Inventory.reserve (Inventory.java:42)\n"
            "6500 running -\n"
            "8000 blocked Inventory.reserve (Inventory.java:42)\n");
}

TEST(PerfettoStates, SumsAreThoseOfTheThreads) {
  Exported e;
  std::map<std::pair<uint32_t, std::string>, ticks_t> sums;
  for (const TraceEvent &s : States(&e)) {
    sums[{static_cast<uint32_t>(s.thread), s.name}] += s.dur * TICKS_PER_NS;
  }
  const struct threads &threads = e.small.model.threads;
  for (size_t i = 0; i < threads.num; i++) {
    for (int k = 0; k < NUM_ACTIVITIES; k++) {
      EXPECT_EQ((sums[{threads.rows[i].hash, activity_names[k]}]), threads.rows[i].in_activity[k])
          << threads.rows[i].name << " " << activity_names[k];
    }
  }
}

// The CPU time of a line was used before the line: 200 ms from 2.25 s to 3 s.
TEST(PerfettoStates, CpuTimeBelongsToItsSlice) {
  Exported e;
  for (const TraceEvent &s : States(&e)) {
    if (s.thread != 2 || s.ts != 2250000000) continue;
    EXPECT_EQ(s.args["cpu ns"].Integer(), 200 * kMs);
    return;
  }
  ADD_FAILURE();
}

TEST(PerfettoStates, ASliceSpansLinesOfTheSameState) {
  Exported e;
  e.files().Write(DUMP_EVENTS, "110.0000000000,ThreadStarted,00000009,last\n");
  e.files().Append(DUMP_SAMPLES,
                   "106.0000000000,Sample,00000003,Waiting,7,4\n"
                   "107.0000000000,Sample,00000003,Terminated,0,0\n"
                   "108.0000000000,Sample,00000003,Runnable,0,1\n");
  std::vector<TraceEvent> of_thread;
  for (const TraceEvent &s : States(&e)) {
    if (s.thread == 3) of_thread.push_back(s);
  }
  ASSERT_EQ(of_thread.size(), 3u);
  EXPECT_EQ(of_thread[1].name, "waiting");
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
  EXPECT_EQ(text,
            "blocked 1250 250\nrunning 1500 500\nblocked 2000 250\nrunning 2250 750\n"
            "running 3000 1000\nrunning 4000 2000\nsleeping 6000 500\nrunning 6500 1500\n"
            "blocked 8000 1000\n");
  EXPECT_EQ(cpu, 690 * kMs);
}

TEST(PerfettoStates, AFilterForEventsHasNoStates) {
  struct filter joins = MakeFilter();
  joins.events = {{"join"}, 1};
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
