#include "tools/export/perfetto_states.h"

#include "tests/tools/export/trace_reader.h"

namespace {

std::vector<TraceEvent> States(Exported *e) {
  return Only(ReadTrace(e->In("perfetto")), 'X', "", TRACE_STATES);
}

TEST(PerfettoStates, ASliceForEachStateAndStack) {
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

TEST(PerfettoStates, CpuTimeIsThatOfTheSlice) {
  Exported e;
  std::vector<TraceEvent> states = States(&e);
  EXPECT_EQ(states.at(0).args["cpu ns"].Integer(), 100 * kMs);  // told by the line that ends it
}

TEST(PerfettoStates, AStateGoesOnOverItsLines) {
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

TEST(PerfettoStates, UntilTheThreadEnded) {
  Exported e;
  for (const TraceEvent &s : States(&e)) {
    EXPECT_LE(s.ts + s.dur, s.thread == 4 ? 9000000000 : 10000000000);
  }
}

}  // namespace
