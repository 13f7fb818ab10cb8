#include <algorithm>
#include <map>

#include "tests/tools/orca/export/trace_reader.h"
#include "tests/tools/orca/model/machine_dump.h"
#include "tools/orca/export/trace.h"

namespace {

constexpr long long kNsPerS = 1000000000;

// Slices of a row are disjoint or nested, and never overlap partly.
void ExpectNested(std::vector<TraceEvent> slices) {
  std::stable_sort(slices.begin(), slices.end(), [](const TraceEvent &a, const TraceEvent &b) {
    return a.ts != b.ts ? a.ts < b.ts : a.dur > b.dur;
  });
  std::map<std::pair<unsigned long long, unsigned long long>, std::vector<long long>> ends;
  for (const TraceEvent &slice : slices) {
    std::vector<long long> &open = ends[{slice.group, slice.thread}];
    while (!open.empty() && open.back() <= slice.ts) open.pop_back();
    EXPECT_TRUE(open.empty() || slice.ts + slice.dur <= open.back()) << slice.name;
    open.push_back(slice.ts + slice.dur);
  }
}

TEST(Perfetto, WritesASliceForEachPair) {
  Exported e;
  std::vector<TraceEvent> events = ReadTrace(e.ExportAs("perfetto"));
  std::vector<TraceEvent> slices = Only(events, 'X');
  ExpectNested(slices);
  std::map<std::string, std::pair<uint64_t, ticks_t>> by_name, expected;
  for (const TraceEvent &slice : slices) {
    by_name[slice.name].first++;
    by_name[slice.name].second += slice.dur * TICKS_PER_NS;
  }
  const struct stalls &stalls = e.small.model.stalls;
  for (size_t i = 0; i < stalls.num; i++) {
    auto &row = expected[event_infos[stalls.rows[i].kind].name];
    row.first += stalls.rows[i].count;
    row.second += stalls.rows[i].total;
  }
  EXPECT_EQ(by_name, expected);
  TraceEvent wait = Only(events, 'X', "ObjectWait").at(0);
  EXPECT_EQ(wait.ts, 4 * kNsPerS);
  EXPECT_EQ(wait.thread, 1u);
  EXPECT_EQ(wait.category, "wait");
  EXPECT_EQ(wait.args["object"].text, "java.lang.Object@000000A2");
  EXPECT_EQ(wait.args["at"].text, "OrderService.run (OrderService.java:20)");
}

TEST(Perfetto, AnOpenPairLastsToTheEnd) {
  Exported e;
  TraceEvent join = Only(ReadTrace(e.ExportAs("perfetto")), 'X', "ThreadJoin").at(0);
  EXPECT_EQ(join.ts + join.dur, 10 * kNsPerS);
  EXPECT_EQ(join.args["unfinished"].text, "true");
}

TEST(Perfetto, WritesAnInstantForEachOtherEvent) {
  Exported e;
  std::vector<TraceEvent> events = ReadTrace(e.ExportAs("perfetto"));
  EXPECT_EQ(Only(events, 'i', "ThreadStarted").size(), 4u);
  EXPECT_EQ(Only(events, 'i', "ThreadEnded").size(), 1u);
  EXPECT_EQ(Only(events, 'i', "ObjectNotifyAll").at(0).ts, 5 * kNsPerS);
}

// "2 at 7.5 s -> 3 at 8.5 s"
std::string Arrows(const std::vector<TraceEvent> &events, const std::string &name) {
  std::string text;
  for (const TraceEvent &from : Only(events, 's', name)) {
    for (const TraceEvent &to : Only(events, 'f', name)) {
      if (to.id != from.id) continue;
      text += std::to_string(from.thread) + " at " + std::to_string(from.ts / 1000000) + " -> " +
              std::to_string(to.thread) + " at " + std::to_string(to.ts / 1000000) + "\n";
    }
  }
  return text;
}

TEST(Perfetto, ArrowsStartAtOwnersAndWakers) {
  Exported e;
  std::vector<TraceEvent> events = ReadTrace(e.ExportAs("perfetto"));
  EXPECT_EQ(Arrows(events, "wakes"), "2 at 5000 -> 1 at 5500\n2 at 6700 -> 3 at 6750\n");
  EXPECT_NE(Arrows(events, "blocks").find("3 at 1000 -> 2 at 1000\n2 at 3000 -> 3 at 3000\n"),
            std::string::npos);
  EXPECT_EQ(Only(events, 's', "blocks").size(), 4u);
  EXPECT_EQ(Only(events, 'i', "woken by worker-1").size(), 2u);
  EXPECT_EQ(Only(events, 'i', "blocks worker-1").at(0).thread, 3u);
}

TEST(Perfetto, ArrowsStartAtTheStarterOfAThread) {
  Exported e;
  e.files().Replace(DUMP_EVENTS, "100.2000000000,ThreadStarted",
                    "100.1500000000,ThreadStart,00000001,00000004,0\n"
                    "100.2000000000,ThreadStarted");
  EXPECT_EQ(Arrows(ReadTrace(e.ExportAs("perfetto")), "starts"), "1 at 150 -> 4 at 200\n");
}

TEST(Perfetto, CountsTheThreadsThatAskForALock) {
  Exported e;
  std::string counts;
  for (const TraceEvent &c : Only(ReadTrace(e.ExportAs("perfetto")), 'C')) {
    if (c.name != "asking for com.acme.Inventory@000000A1") continue;
    counts += std::to_string(c.ts / 1000000) + ":" + c.args["threads"].text + " ";
  }
  EXPECT_EQ(counts, "1000:1 1500:0 2000:1 2250:0 3000:1 3125:0 8000:1 ");
}

// worker-1 from 1.25 s to 9 s.
const struct filter kWorker = {{{"worker-1"}, 1},           {},           {}, {},
                               101 * kSecond + kSecond / 4, 109 * kSecond};

TEST(Perfetto, ClipsSlicesToTheFilter) {
  Exported e;
  e.small.Read(&kWorker);
  std::vector<TraceEvent> events = ReadTrace(e.ExportAs("perfetto"));
  std::string slices;
  for (const TraceEvent &s : Only(events, 'X')) {
    EXPECT_EQ(s.thread, 2u);
    slices += s.name + " " + std::to_string(s.ts / 1000000) + " " +
              std::to_string(s.dur / 1000000) + "\n";
  }
  EXPECT_EQ(slices,
            "MonitorContendedEnter 1250 250\nMonitorContendedEnter 2000 250\n"
            "ThreadSleep 6000 500\nMonitorContendedEnter 8000 1000\n");
  std::string moments;
  for (const TraceEvent &m : Only(events, 'i')) {
    moments += m.name + " of " + std::to_string(m.thread) + "\n";
  }
  EXPECT_EQ(moments, "ObjectNotifyAll of 2\nSemaphoreRelease of 2\nblocks worker-1 of 3\n");
  EXPECT_EQ(Arrows(events, "blocks"), "3 at 8000 -> 2 at 8000\n");
  EXPECT_EQ(Arrows(events, "wakes"), "");
  std::string counts;
  for (const TraceEvent &c : Only(events, 'C')) {
    counts += std::to_string(c.ts / 1000000) + ":" + c.args["threads"].text + " ";
  }
  EXPECT_EQ(counts, "1250:1 1500:0 2000:1 2250:0 8000:1 ");
}

TEST(Perfetto, AnArrowFromAFilteredEventStartsAtAnInstant) {
  struct filter main = MakeFilter();
  main.threads = {{"main"}, 1};
  Exported e;
  e.small.Read(&main);
  std::vector<TraceEvent> events = ReadTrace(e.ExportAs("perfetto"));
  EXPECT_EQ(Arrows(events, "wakes"), "2 at 5000 -> 1 at 5500\n");
  TraceEvent wakes = Only(events, 'i', "wakes main").at(0);
  EXPECT_EQ(wakes.thread, 2u);
  EXPECT_EQ(wakes.ts, 5 * kNsPerS);
  EXPECT_EQ(Only(events, 'i', "ObjectNotifyAll").size(), 0u);
}

TEST(Perfetto, DroppedEventsMeanNoCounters) {
  Exported e;
  e.files().Replace(DUMP_INFO, "events.dropped=0", "events.dropped=1");
  EXPECT_TRUE(Only(ReadTrace(e.ExportAs("perfetto")), 'C').empty());
}

TEST(Perfetto, NamesAreValidJson) {
  Exported e;
  e.NameWorker("say \"</script>\"\\u005C \\uDFFF");
  bool found = false;
  for (const TraceEvent &m : Only(ReadTrace(e.ExportAs("perfetto")), 'M', "thread_name")) {
    found |= m.args["name"].text == "say \"</script>\"\\ \xEF\xBF\xBD";
  }
  EXPECT_TRUE(found);
}

TEST(Perfetto, NamesTheSampler) {
  EXPECT_EQ(ReadJson(Exported().ExportAs("perfetto"))["otherData"]["sampler"].text,
            "CPU time sampled at safepoints");
}

TEST(Perfetto, HasTheCommandOnce) {
  std::string text = Exported().ExportAs("perfetto");
  EXPECT_EQ(ReadJson(text)["otherData"]["command"].text,
            "java -agentpath:/opt/liborca.so=out -cp shop.jar com.acme.OrderService");
  EXPECT_EQ(text.find("shop.jar"), text.rfind("shop.jar"));
}

TEST(Perfetto, LeavesOutACommandThatWasNotRecorded) {
  Exported e;
  e.files().Replace(DUMP_INFO,
                    "java -agentpath:/opt/liborca.so=out -cp shop.jar com.acme.OrderService", "");
  EXPECT_EQ(e.ExportAs("perfetto").find("\"command\""), std::string::npos);
}

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
