/* The machine under test observes the process of this test. */
#include "sampler/machine.h"

#include <algorithm>
#include <sstream>

#include "agent/base/clock.h"
#include "gtest/gtest.h"
#include "tests/support/burner.h"
#include "tests/support/recording.h"

namespace {

class MachineTest : public testing::Test {
 protected:
  MachineTest() { machine_init(&machine_, r_.threads); }

  void Start() {
    machine_open(&machine_);
    machine_start(&machine_, r_.ti, r_.jni);
  }
  void Tick() { machine_tick(&machine_, r_.ti, r_.jni); }
  void Stop() { machine_stop(&machine_, r_.ti, r_.jni); }

  // Returns the fields of all lines of one kind.
  using Rows = std::vector<std::vector<std::string>>;
  Rows FindRows(const std::string &kind, const Lines &lines) {
    Rows rows;
    for (const std::string &line : lines) {
      std::istringstream words(line);
      std::vector<std::string> row;
      for (std::string word; std::getline(words, word, ',');) row.push_back(word);
      if (row[0] == kind) rows.push_back(row);
    }
    return rows;
  }
  // Returns the CPU time in all lines of a task; -1 if there is no line.
  int64_t SumCpu(uint32_t tid, const Lines &lines) {
    int64_t sum = -1;
    for (const auto &row : FindRows("Task", lines)) {
      if (row[1] == std::to_string(tid)) sum = std::max<int64_t>(sum, 0) + std::stoll(row[3]);
    }
    return sum;
  }

  Recording r_;
  struct machine machine_;
};

TEST_F(MachineTest, ATasksTimeCountsFromTheStart) {
  Burner b("C2 CompilerThre");
  b.Burn(3'000'000);
  Start();
  int64_t before = b.Cpu();
  b.Burn(2'000'000);
  Stop();
  Lines lines = r_.Records();
  EXPECT_EQ(SumCpu(b.tid(), lines), b.Cpu() - before);
  Rows rows = FindRows("Task", lines);
  auto row = std::find_if(rows.begin(), rows.end(),
                          [&](const auto &r) { return r[1] == std::to_string(b.tid()); });
  ASSERT_NE(row, rows.end());
  EXPECT_EQ((*row)[2], "Jit");
  EXPECT_EQ((*row)[5], "C2 CompilerThre");
}

// The VM thread collects garbage in pauses; what it does otherwise is another line.
TEST_F(MachineTest, TheVmThreadsTimeInPausesIsThatOfTheCollector) {
  struct pauses pauses;
  pauses_init(&pauses, r_.recorder);
  machine_.pauses = &pauses;
  Burner b("VM Thread");
  Start();
  b.Burn(2'000'000);
  int64_t before = b.Cpu();
  b.Do([&] { pauses_begin(&pauses); });
  b.Burn(4'000'000);
  b.Do([&] { pauses_end(&pauses); });
  int64_t used = b.Cpu() - before;
  Stop();
  int64_t gc = 0, vm = 0;
  for (const auto &row : FindRows("Task", r_.Records())) {
    if (row[1] != std::to_string(b.tid())) continue;
    (row[2] == "Gc" ? gc : vm) += std::stoll(row[3]);
  }
  EXPECT_GE(gc, 4'000'000);
  EXPECT_LE(gc, used);
  EXPECT_GE(vm, 2'000'000);
}

TEST_F(MachineTest, AllTimeOfALaterTaskCounts) {
  Start();
  Burner b("GC Thread#7");
  b.Burn(1'000'000);
  Stop();
  EXPECT_EQ(SumCpu(b.tid(), r_.Records()), b.Cpu());
}

TEST_F(MachineTest, TheProcessTimeIncludesItsTasks) {
  Burner b("native");
  b.Burn(5'000'000);
  Start();
  b.Burn(20'000'000);
  Stop();
  Lines lines = r_.Records();
  Rows process = FindRows("Process", lines);
  ASSERT_EQ(process.size(), 1u);
  EXPECT_GE(std::stoll(process[0][1]), SumCpu(b.tid(), lines));
  EXPECT_EQ(std::to_string(r_.recorder->figures.process_cpu), process[0][1]);
}

TEST_F(MachineTest, AJavaThreadHasNoTaskLine) {
  Burner b("worker");
  b.Burn(2'000'000);
  FakeThread *java = r_.jvm.AddThread("worker", 0xB);
  java->cpu_ns = b.Cpu();
  Start();
  b.Burn(1'000'000);
  Stop();
  EXPECT_EQ(SumCpu(b.tid(), r_.Records()), -1);
}

TEST_F(MachineTest, AnUnidentifiedJavaThreadHasNoTaskLine) {
  Burner b("worker");
  r_.jvm.AddThread("worker", 0xB)->cpu_ns = INT64_MAX;
  Start();
  b.Burn(1'000'000);
  Stop();
  EXPECT_EQ(SumCpu(b.tid(), r_.Records()), -1);
}

TEST_F(MachineTest, AThreadIsJavaFromTidsBeginToTidsEnd) {
  Start();
  Burner b("worker");
  b.Do([&] { tids_begin(&machine_.tids, 0xB); });
  b.Burn(1'000'000);
  machine_.next_ns = 0;
  Tick();
  EXPECT_EQ(SumCpu(b.tid(), r_.Records()), -1);
  int64_t end = 0;
  b.Do([&] {
    task_cpu(b.tid(), &end);
    tids_end(&machine_.tids);
  });
  int64_t before = b.Cpu();
  b.Burn(1'000'000);
  Stop();
  int64_t native = SumCpu(b.tid(), r_.Records());
  EXPECT_GE(native, b.Cpu() - before);
  EXPECT_LE(native, b.Cpu() - end) << "only the time after it was a Java thread";
}

TEST_F(MachineTest, SchedLinesHaveTheKernelsWaitTime) {
  Burner b("worker");
  char text[100];
  if (!task_read_file("/proc/self/task", b.tid(), "schedstat", text, sizeof text)) {
    GTEST_SKIP() << "this kernel has no schedstat";
  }
  auto read_wait = [&] {
    b.Cpu();
    task_read_file("/proc/self/task", b.tid(), "schedstat", text, sizeof text);
    return strtoll(strchr(text, ' '), nullptr, 10);
  };
  Start();
  b.Do([&] { tids_begin(&machine_.tids, 0xB); });
  machine_.next_ns = 0;
  Tick();
  r_.Records();
  int64_t waited_before = read_wait();
  for (int i = 0; i < 20; i++) b.Burn(500'000);
  int64_t waited = read_wait() - waited_before;
  Stop();
  int64_t recorded = 0;
  for (const auto &row : FindRows("Sched", r_.Records())) {
    EXPECT_EQ(row[1], "0000000B");
    recorded += std::stoll(row[2]);
  }
  EXPECT_GE(recorded, waited);
  EXPECT_LE(recorded, read_wait());
}

TEST_F(MachineTest, ScansAreAtLeastASecondApart) {
  uint64_t before = clock_monotonic_ns();
  Start();
  EXPECT_GE(machine_.next_ns, before + NS_PER_S);
  uint64_t next = machine_.next_ns = clock_monotonic_ns() + 1000 * NS_PER_S;
  Tick();
  EXPECT_EQ(r_.Records(), Lines{});
  EXPECT_EQ(machine_.next_ns, next);
  machine_.next_ns = 0;
  Tick();
  EXPECT_EQ(FindRows("Process", r_.Records()).size(), 1u);
  Stop();
}

TEST_F(MachineTest, RecordsOnlyTheProcessWithoutTheFolder) {
  machine_.tasks.folder = "/no/such/folder";
  Start();
  Stop();
  Lines lines = r_.Records();
  EXPECT_EQ(FindRows("Process", lines).size(), 1u);
  EXPECT_EQ(FindRows("Task", lines).size(), 0u);
}

TEST_F(MachineTest, TheNextRecordingCountsFromItsOwnStart) {
  Burner b("native");
  Start();
  b.Burn(1'000'000);
  Stop();
  r_.Records();
  r_.Again();
  b.Burn(9'000'000);
  Start();
  int64_t before = b.Cpu();
  b.Burn(1'000'000);
  Stop();
  EXPECT_EQ(SumCpu(b.tid(), r_.Records()), b.Cpu() - before);
}

}  // namespace
