#include "tools/orca/model/spread.h"

#include <map>
#include <utility>

#include "tests/tools/orca/model/cpu_lines.h"
#include "tools/orca/model/names.h"

namespace {

class Spread : public testing::Test {
 protected:
  // "thread: innermost < … < outermost" -> CPU time in ns, for all rows with CPU time.
  std::map<std::string, uint64_t> ReadRows(const struct filter *filter = nullptr) {
    const struct model *m = small_.Read(filter);
    std::map<std::string, uint64_t> rows;
    for (size_t i = 0; i < m->profile.num; i++) {
      const struct profile_row *row = &m->profile.rows[i];
      if (row->costs[PROFILE_CPU].time == 0) continue;
      struct builder b = {};
      names_thread(&b, &m->threads, row->thread);
      size_t depth;
      const struct frame *frames = stacks_frames(&m->stacks, row->stack, &depth);
      for (size_t f = 0; f < depth; f++) {
        builder_string(&b, f == 0 ? ": " : " < ");
        names_method(&b, small_.dump, frames[f].method);
      }
      rows[TakeText(&b)] = profile_ns(row, PROFILE_CPU);
    }
    return rows;
  }
  uint64_t FindThreadNs(uint32_t hash) {
    const struct thread *t = threads_find(&small_.model.threads, hash);
    return t == nullptr ? 0 : t->cpu_ns;
  }

  SmallModel small_;
  using Map = std::map<std::string, uint64_t>;
};

TEST_F(Spread, SamplesOfAPoolHaveEqualWeightsAndLargeThreadsAreAlone) {
  AddCpuLines(&small_.files);
  // The pool has 120 ms in price and 60 ms in reserve. worker-1 has 60 ms of it, worker-2 120 ms.
  EXPECT_EQ(ReadRows(),
            (Map{{"worker-1: OrderService.price < OrderService.run", 60 * kMs},
                 {"worker-2: OrderService.price < OrderService.run", 60 * kMs},
                 {"worker-2: Inventory.reserve < OrderService.run", 60 * kMs},
                 {"main: HashMap.get < OrderService.price < OrderService.run", 330 * kMs},
                 {"main: (native) < OrderService.price < OrderService.run", 110 * kMs},
                 {"poller: (not sampled)", 7 * kMs}}));
  EXPECT_EQ(small_.model.cpu.total_ns, 627 * kMs);
  EXPECT_EQ(small_.model.cpu.num_samples, 43u);
  EXPECT_EQ(FindThreadNs(1), 440 * kMs);
  EXPECT_EQ(FindThreadNs(2), 60 * kMs);
  EXPECT_EQ(FindThreadNs(3), 120 * kMs);
  EXPECT_EQ(FindThreadNs(4), 7 * kMs);
}

// At 100 ms a sample stands for 25 ticks, at 1 ms for 1. So in the pool, the sample at 101 s has as
// much CPU time as the 25 at 106 s.
TEST_F(Spread, ASampleStandsForTheIntervalOfItsTime) {
  small_.files.Replace(DUMP_INFO, "interval=20ms", "interval=100ms");
  small_.files.Replace(DUMP_INFO, "end.monotonic=",
                       "change=103.0000000000,103.0000000000,set,interval=1ms\nend.monotonic=");
  small_.files.Append(DUMP_INFO, "sampler.tick=4000000\nsampler=signal\n");
  small_.files.Append(DUMP_SAMPLES, "105.0000000000,Cpu,00000002,30000000,1,Java\n");
  small_.files.Replace(DUMP_SAMPLES, "105.0000000000,Cpu", "101.0000000000,Cpu");
  for (int i = 0; i < 15; i++) AddCpu(&small_.files, "00000002,4000000,4,Java");
  for (int i = 0; i < 10; i++) AddCpu(&small_.files, "00000003,4000000,4,Java");
  AddCpu(&small_.files, "00000003,70000000,0,Unsampled");
  // 30 + 60 + 40 + 70 ms, half of it in each method.
  auto rows = ReadRows();
  uint64_t price = 0, reserve = 0;
  for (const auto &[row, ns] : rows) {
    (row.find("price") != std::string::npos ? price : reserve) += ns;
  }
  EXPECT_EQ(price, 100 * kMs);
  EXPECT_EQ(reserve, 100 * kMs);
}

TEST_F(Spread, AThreadWithoutASampleGetsStacksOfItsPool) {
  AddCpu(&small_.files, "00000002,30000000,1,Java");
  AddCpu(&small_.files, "00000002,10000000,4,Java");
  AddCpu(&small_.files, "00000003,5,0,Unsampled");
  EXPECT_EQ(ReadRows(), (Map{{"worker-1: OrderService.price < OrderService.run", 19999998},
                             {"worker-1: Inventory.reserve < OrderService.run", 20000002},
                             {"worker-2: OrderService.price < OrderService.run", 5}}));
  EXPECT_EQ(small_.model.cpu.total_ns, 40 * kMs + 5);
}

TEST_F(Spread, ThreadsWithoutANameAreOnePool) {
  small_.files.Append(DUMP_SAMPLES, "105.5000000000,Stack,6,1;00000013;00000000\n");
  AddCpu(&small_.files, "000000E1,10000000,6,Java");
  AddCpu(&small_.files, "000000E2,30000000,0,Unsampled");
  EXPECT_EQ(ReadRows(), (Map{{"thread 000000E1: HashMap.get", 10 * kMs},
                             {"thread 000000E2: HashMap.get", 30 * kMs}}));
  EXPECT_EQ(FindThreadNs(0xE2), 30 * kMs);  // the thread has no other line
}

TEST_F(Spread, AThreadThatMatchesKeepsTheSamplesOfItsPool) {
  AddCpuLines(&small_.files);
  struct filter filter = {};
  filter.to = FILTER_NO_END;
  filter.threads = {{"worker-2"}, 1};
  EXPECT_EQ(ReadRows(&filter), (Map{{"worker-2: OrderService.price < OrderService.run", 60 * kMs},
                                    {"worker-2: Inventory.reserve < OrderService.run", 60 * kMs}}));
  EXPECT_EQ(small_.model.recording.cpu_samples, 1u);
  EXPECT_EQ(FindThreadNs(3), 120 * kMs);
}

TEST_F(Spread, AClassFilterKeepsTheMatchingStacks) {
  AddCpuLines(&small_.files);
  struct filter filter = {};
  filter.to = FILTER_NO_END;
  filter.classes = {{"Inventory"}, 1};
  EXPECT_EQ(ReadRows(&filter), (Map{{"worker-2: Inventory.reserve < OrderService.run", 60 * kMs}}));
  EXPECT_EQ(FindThreadNs(3), 60 * kMs);
}

TEST_F(Spread, TimeOutsideTheRangeIsNotSpread) {
  AddCpuLines(&small_.files);
  struct filter filter = {};
  filter.to = 104 * kSecond;
  EXPECT_EQ(ReadRows(&filter), Map{});
  EXPECT_EQ(small_.model.cpu.total_ns, 0u);
}

TEST_F(Spread, EachPlaceHasAPseudoFrame) {
  DumpFiles *files = &small_.files;
  files->Append(DUMP_SAMPLES,
                "105.5000000000,Stack,6,2;00000014;FFFFFFFF;00000011;00000000\n"
                "105.5000000000,Stack,7,2;00000013;00000000;00000000;00000000\n");
  const struct {
    const char *fields, *shown;
  } cases[] = {
      {"1,1,Java", "OrderService.price < OrderService.run"},
      {"2,1,Native", "(native) < OrderService.price < OrderService.run"},
      {"4,6,Native", "EPoll.wait < OrderService.run"},  // EPoll.wait is a native method itself
      {"8,1,Vm", "(JVM) < OrderService.price < OrderService.run"},
      {"16,6,Vm", "(JVM) < EPoll.wait < OrderService.run"},
      {"32,4,Lost", "Inventory.reserve < OrderService.run < (callers not known)"},
      {"64,7,Lost", "HashMap.get < (callers not known)"},
      {"128,7,Java", "HashMap.get < (deeper callers not recorded)"},
      {"256,0,Lost", "(not decoded)"},
      {"512,0,Java", "(not decoded)"},
      {"1024,0,Vm", "(JVM)"},
      {"2048,0,Native", "(native)"},
      {"4096,1,Hook", "(Orca's hooks)"},
  };
  Map expected;
  uint64_t ns = 0;
  for (const auto &c : cases) {
    // 20 of each, so that the thread is not pooled
    AddCpu(files, "00000001," + std::string(c.fields), 20);
    expected["main: " + std::string(c.shown)] += 20 * strtoull(c.fields, nullptr, 10);
    ns += 20 * strtoull(c.fields, nullptr, 10);
  }
  EXPECT_EQ(ReadRows(), expected);
  EXPECT_EQ(FindThreadNs(1), ns);
  EXPECT_EQ(small_.model.lost_ns, 20u * (32 + 64));
  EXPECT_EQ(model_unknown_ns(&small_.model), 20u * (32 + 64 + 256 + 512));
}

TEST_F(Spread, WithoutCpuLinesNothingIsSpread) {
  small_.Read();
  EXPECT_EQ(small_.model.spread.num, 0u);
  EXPECT_FALSE(small_.model.recording.by_signal);
  EXPECT_EQ(FindThreadNs(2), 990 * kMs);
}

TEST_F(Spread, LargeNumbersDoNotOverflow) {
  AddCpu(&small_.files, "00000002,9000000000000000,1,Java", 19);
  AddCpu(&small_.files, "00000003,7,0,Unsampled");
  ReadRows();
  EXPECT_EQ(small_.model.cpu.total_ns, UINT64_C(171000000000000007));
}

}  // namespace
