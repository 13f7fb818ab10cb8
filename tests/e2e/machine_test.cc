/* Tests what is recorded about the whole process: CPU time by kind of thread, pauses, waits for a
   CPU. The program reads the same numbers from the kernel and the JVM. */
#include <map>
#include <sstream>
#include <string>
#include <thread>

#include "agent/event/line.h"
#include "gtest/gtest.h"
#include "tests/e2e/session.h"
#include "tests/support/text.h"

namespace {

constexpr int64_t kMs = 1'000'000;

/* Sums over the lines of .samples, in nanoseconds. */
struct Sums {
  int64_t process = 0, samples = 0, cpu = 0, tasks = 0;
  int64_t by_kind[NUM_TASK_KINDS] = {};
  size_t pauses = 0;
  std::map<uint32_t, int64_t> waits;

  int64_t Java() const {
    return cpu > 0 ? cpu : samples;
  } /* Sample lines count only without Cpu lines */
};

Sums ReadSums(const std::string &prefix) {
  Sums sums;
  for (const std::string &text : SplitLines(ReadFile(prefix + ".samples"))) {
    struct sample_line line;
    EXPECT_EQ(sample_line_read({text.data(), text.size()}, &line), nullptr) << text;
    if (line.kind == SAMPLE_PROCESS) sums.process += line.cpu_ns;
    if (line.kind == SAMPLE_THREAD && line.cpu_ns > 0) sums.samples += line.cpu_ns;
    if (line.kind == SAMPLE_CPU) sums.cpu += line.cpu_ns;
    if (line.kind == SAMPLE_TASK) sums.tasks += line.cpu_ns;
    if (line.kind == SAMPLE_TASK) sums.by_kind[line.task_kind] += line.cpu_ns;
    if (line.kind == SAMPLE_SCHED) sums.waits[line.thread] += line.wait_ns;
    sums.pauses += line.kind == SAMPLE_PAUSE;
  }
  return sums;
}

/* The numbers that the program prints: "process 12", "gc 3", "wait 0A1B2C3D 45". */
struct Reported {
  int64_t process = -1, gc = -1;
  std::map<uint32_t, int64_t> waits;
};

Reported ReadReported(const std::string &output) {
  Reported reported;
  for (const std::string &line : SplitLines(output)) {
    std::istringstream words(line);
    std::string word, hash;
    words >> word;
    if (word == "process") words >> reported.process;
    if (word == "gc") words >> reported.gc;
    if (word == "wait" && words >> hash) {
      words >> reported.waits[static_cast<uint32_t>(strtoul(hash.c_str(), nullptr, 16))];
    }
  }
  return reported;
}

class MachineTest : public testing::TestWithParam<Jdk> {
 protected:
  /* Expects that Java threads and tasks together used the CPU time of the process, within 2 %. On
     few CPUs, the clocks are read some milliseconds apart. */
  static void ExpectAddsUp(const Sums &sums) {
    ASSERT_GT(sums.process, 0);
    int64_t slack = sums.process / 50 + 30 * kMs;
    EXPECT_NEAR(static_cast<double>(sums.Java() + sums.tasks), static_cast<double>(sums.process),
                static_cast<double>(slack))
        << "Java " << sums.Java() << ", tasks " << sums.tasks;
  }
};

TEST_P(MachineTest, CpuTimesAddUpToTheProcess) {
  Session session(GetParam(), Program({"counted.Whole", "2", "1500"}, {"-Xcheck:jni"}));
  session.Wait();
  ASSERT_EQ(session.result().status, 0) << session.result().err;
  session.ExpectChecked();
  EXPECT_EQ(SkipLauncher(session.result().out).find("WARNING in native method"), std::string::npos);
  Sums sums = ReadSums(session.prefix());
  Reported reported = ReadReported(session.result().out);
  ExpectAddsUp(sums);
  EXPECT_GT(sums.by_kind[TASK_KIND_JIT], 0);
  EXPECT_GT(sums.by_kind[TASK_KIND_ORCA], 0);
  /* The recording starts after the start of the JVM, and ends with the JVM. */
  EXPECT_GT(sums.process, reported.process / 2);
  EXPECT_LT(sums.process, reported.process + 1000 * kMs);
  std::string report = session.RunOrca("report").out;
  EXPECT_NE(report.find(" of the process: "), std::string::npos) << report;
  EXPECT_NE(session.RunOrca("threads").out.find("\nJIT compiler "), std::string::npos);
}

TEST_P(MachineTest, CpuTimesAddUpIfTheRecordingStartsLate) {
  Session session(GetParam(), Program({"counted.Whole", "2", "3000"}, {}, ",start=1s"));
  session.Wait();
  ASSERT_EQ(session.result().status, 0) << session.result().err;
  session.ExpectChecked();
  Sums sums = ReadSums(session.prefix());
  ExpectAddsUp(sums);
  EXPECT_LT(sums.process, ReadReported(session.result().out).process);
}

TEST_P(MachineTest, RecordsPausesAndCpuTimeOfCollections) {
  Session session(GetParam(),
                  Program({"counted.Whole", "2", "1000"},
                          {"-XX:+UseParallelGC", "-XX:ParallelGCThreads=2", "-Xmx64m", "-Xmn8m"}));
  session.Wait();
  ASSERT_EQ(session.result().status, 0) << session.result().err;
  session.ExpectChecked();
  Sums sums = ReadSums(session.prefix());
  Reported reported = ReadReported(session.result().out);
  ASSERT_GT(reported.gc, 0);
  EXPECT_GE(static_cast<int64_t>(sums.pauses), reported.gc);
  EXPECT_LE(static_cast<int64_t>(sums.pauses), reported.gc + 1)
      << "one collection may run at the end of the JVM";
  EXPECT_GT(sums.by_kind[TASK_KIND_GC], 0);
  EXPECT_NE(session.RunOrca("report").out.find("\nPauses    "), std::string::npos);
}

TEST_P(MachineTest, RecordsWaitsForACpu) {
  unsigned cpus = std::thread::hardware_concurrency(), num = 4 * (cpus == 0 ? 1 : cpus);
  Session session(GetParam(), Program({"counted.Whole", std::to_string(num), "1500"}));
  session.Wait();
  ASSERT_EQ(session.result().status, 0) << session.result().err;
  session.ExpectChecked();
  Sums sums = ReadSums(session.prefix());
  Reported reported = ReadReported(session.result().out);
  ASSERT_EQ(reported.waits.size(), num);
  for (const auto &[thread, nanos] : reported.waits) {
    if (nanos < 0) GTEST_SKIP() << "this kernel has no schedstat";
    EXPECT_GE(sums.waits[thread], nanos) << thread;
  }
  std::string report = session.RunOrca("report").out;
  EXPECT_NE(report.find("The program was starved: its threads waited "), std::string::npos)
      << report;
}

INSTANTIATE_TEST_SUITE_P(Jvm, MachineTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
