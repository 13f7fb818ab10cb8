#include "tools/orca/export/perfetto_calls.h"

#include "tests/tools/orca/export/trace_reader.h"

namespace {

constexpr long long kNsPerS = 1000000000;

TEST(PerfettoCalls, ACallIsABeginAndAnEnd) {
  Exported e;
  e.files().Write(DUMP_EVENTS,
                  "101.0000000000,MethodEntry,00000002,2;00000010;00000000;00000011;00000000\n"
                  "101.5000000000,MethodExit,00000002,000000C1,77,"
                  "2;00000010;00000000;00000011;00000000\n");
  std::vector<TraceEvent> events = ReadTrace(e.ExportAs("perfetto"));
  TraceEvent entry = Only(events, 'B').at(0), exit = Only(events, 'E').at(0);
  EXPECT_EQ(entry.name, "com.acme.OrderService.price");
  EXPECT_EQ(exit.name, entry.name);
  EXPECT_EQ(exit.ts - entry.ts, kNsPerS / 2);
  EXPECT_EQ(exit.args["threw"].text, "java.lang.Object");
  EXPECT_EQ(exit.args["cpu ns"].Integer(), 77u);
}

// Writes a call of price from 1 s to 2 s. It calls get from 1.1 s to 1.2 s and from 1.6 s to 1.7 s.
void WriteCalls(Exported *e) {
  const char *price = "2;00000010;00000000;00000011;00000000\n";
  const char *get = "3;00000013;00000000;00000010;00000000;00000011;00000000\n";
  auto entry = [](const char *time, const char *stack) {
    return std::string(time) + ",MethodEntry,00000002," + stack;
  };
  auto exit = [](const char *time, const char *stack) {
    return std::string(time) + ",MethodExit,00000002,00000000,-1," + stack;
  };
  e->files().Write(DUMP_EVENTS, entry("101.0000000000", price) + entry("101.1000000000", get) +
                                    exit("101.2000000000", get) + entry("101.6000000000", get) +
                                    exit("101.7000000000", get) + exit("102.0000000000", price));
}

// "B price 1300"
std::string Calls(Exported *e, ticks_t from, ticks_t to) {
  struct filter filter = MakeFilter(from, to);
  e->small.Read(&filter);
  std::string text;
  for (const TraceEvent &event : ReadTrace(e->ExportAs("perfetto"))) {
    if (event.category != "method") continue;
    text += std::string(1, event.phase) + event.name.substr(event.name.rfind('.')) + " " +
            std::to_string(event.ts / 1000000) + "\n";
  }
  return text;
}

TEST(PerfettoCalls, AnOpenCallStartsWithTheFilter) {
  Exported e;
  WriteCalls(&e);
  EXPECT_EQ(Calls(&e, 101 * kSecond + kSecond / 2, FILTER_NO_END),
            "B.price 1500\nB.get 1600\nE.get 1700\nE.price 2000\n");
}

TEST(PerfettoCalls, ANestedOpenCallStartsWithTheFilter) {
  Exported e;
  WriteCalls(&e);
  EXPECT_EQ(Calls(&e, 101 * kSecond + kSecond * 15 / 100, 101 * kSecond + kSecond / 2),
            "B.price 1150\nB.get 1150\nE.get 1200\n");
}

}  // namespace
