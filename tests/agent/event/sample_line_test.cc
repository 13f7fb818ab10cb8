// The lines of .samples.
#include "tests/agent/event/line_case.h"

namespace {

std::string WriteLine(const struct sample_line &line) {
  struct builder b = {};
  sample_line_write(&b, &line);
  return TakeLine(&b);
}

// Reads `text`, and checks that it is written the same. The spans of the result point into `text`.
struct sample_line ReadBack(const std::string &text) {
  struct sample_line line;
  EXPECT_EQ(FaultText(sample_line_read(Span(text), &line)), "") << text;
  EXPECT_EQ(line.time, kTime);
  EXPECT_EQ(WriteLine(line), text);
  return line;
}

TEST(SampleLine, ReadsBackATick) {
  struct sample_line line = ReadBack("480182.0012345670,Tick,17,81000,12");
  EXPECT_EQ(line.kind, SAMPLE_TICK);
  EXPECT_EQ(line.number, 17);
  EXPECT_EQ(line.pause_ns, 81000);
  EXPECT_EQ(line.threads, 12);
}

TEST(SampleLine, ReadsBackAStack) {
  const std::string text = std::string(kAt) + "Stack,5," + kStack;
  struct sample_line line = ReadBack(text);
  EXPECT_EQ(line.kind, SAMPLE_STACK);
  EXPECT_EQ(line.stack_id, 5u);
  EXPECT_EQ(Text(line.stack), kStack);
}

TEST(SampleLine, ReadsBackThreadsInEveryState) {
  for (int state = 0; state < NUM_STATES; state++) {
    std::string name = thread_state_names[state];
    struct sample_line line = ReadBack(kAt + ("Sample,0A1B2C3D," + name + ",20000000,5"));
    EXPECT_EQ(line.kind, SAMPLE_THREAD);
    EXPECT_EQ(line.thread, 0x0A1B2C3Du);
    EXPECT_EQ(line.state, state);
    EXPECT_EQ(line.cpu_ns, 20000000);
    EXPECT_EQ(line.stack_id, 5u);
  }
}

TEST(SampleLine, AllowsUnknownCpuTimeAndNoStack) {
  struct sample_line line = ReadBack("480182.0012345670,Sample,0A1B2C3D,Terminated,-1,0");
  EXPECT_EQ(line.cpu_ns, -1);
  EXPECT_EQ(line.stack_id, 0u);
}

TEST(SampleLine, ReadsBackCpuInEveryPlace) {
  for (int place = 0; place < NUM_CPU_PLACES; place++) {
    std::string name = cpu_place_names[place];
    struct sample_line line = ReadBack(kAt + ("Cpu,0A1B2C3D,4000000,5," + name));
    EXPECT_EQ(line.kind, SAMPLE_CPU);
    EXPECT_EQ(line.thread, 0x0A1B2C3Du);
    EXPECT_EQ(line.cpu_ns, 4000000);
    EXPECT_EQ(line.stack_id, 5u);
    EXPECT_EQ(line.place, place);
  }
}

TEST(SampleLine, ReadsBackAProcess) {
  struct sample_line line = ReadBack("480182.0012345670,Process,4000000,-1");
  EXPECT_EQ(line.kind, SAMPLE_PROCESS);
  EXPECT_EQ(line.cpu_ns, 4000000);
  EXPECT_EQ(line.throttled_ns, -1);
}

TEST(SampleLine, ReadsBackTasksOfEveryKind) {
  for (int kind = 0; kind < NUM_TASK_KINDS; kind++) {
    std::string name = task_kind_infos[kind].name;
    std::string text = kAt + ("Task,4711," + name + ",4000000,-1,C2 Compiler");
    struct sample_line line = ReadBack(text);
    EXPECT_EQ(line.kind, SAMPLE_TASK);
    EXPECT_EQ(line.tid, 4711);
    EXPECT_EQ(line.task_kind, kind);
    EXPECT_EQ(line.cpu_ns, 4000000);
    EXPECT_EQ(line.wait_ns, -1);
    EXPECT_EQ(Text(line.name), "C2 Compiler");
  }
}

TEST(SampleLine, ReadsBackASched) {
  struct sample_line line = ReadBack("480182.0012345670,Sched,0A1B2C3D,70000");
  EXPECT_EQ(line.kind, SAMPLE_SCHED);
  EXPECT_EQ(line.thread, 0x0A1B2C3Du);
  EXPECT_EQ(line.wait_ns, 70000);
}

TEST(SampleLine, ReadsBackAPause) {
  struct sample_line line = ReadBack("480182.0012345670,Pause,Gc,81000");
  EXPECT_EQ(line.kind, SAMPLE_PAUSE);
  EXPECT_EQ(line.pause_ns, 81000);
}

TEST(SampleLine, RefusesInvalidFields) {
  const std::string at = kAt, sample = at + "Sample,";
  const char no_kind[] =
      "the line is none of Tick, Stack, Sample, Cpu, Process, Task, Sched and Pause";
  const char bad_id[] = "the stack's id is not decimal";
  const char bad_cpu[] = "the CPU time is neither decimal nor -1";
  const Case cases[] = {
      {"", kBadTime},
      {"480182.0012345670", kMissing},
      {at, no_kind},
      {at + "tick,1,2,3", no_kind},
      {at + "Tick", kMissing},
      {at + "Tick,x,2,3", "the tick's number is not decimal"},
      {at + "Tick,-1,2,3", "the tick's number is not decimal"},
      {at + "Tick,1", kMissing},
      {at + "Tick,1,-2,3", "the tick's pause is not decimal"},
      {at + "Tick,1,2", kMissing},
      {at + "Tick,1,2,", "the tick's number of threads is not decimal"},
      {at + "Tick,1,2,3,4", kMore},
      {at + "Stack,-5,0", bad_id},
      {at + "Stack,05,0", bad_id},
      {at + "Stack,5", kMissing},
      {at + "Stack,5,x", kBadDepth},
      {at + "Stack,5,1;00000007", kBadFrame},
      {at + "Stack,5,1", kWrongDepth},
      {at + "Stack,5,0,", kMore},
      {sample + "A1B2C3D,Runnable,0,5", kBadThread},
      {sample + "0A1B2C3D", kMissing},
      {sample + "0A1B2C3D,runnable,0,5", "no state has this name"},
      {sample + "0A1B2C3D,Runnable", kMissing},
      {sample + "0A1B2C3D,Runnable,-2,5", bad_cpu},
      {sample + "0A1B2C3D,Runnable,,5", bad_cpu},
      {sample + "0A1B2C3D,Runnable,0", kMissing},
      {sample + "0A1B2C3D,Runnable,0,-1", bad_id},
      {sample + "0A1B2C3D,Runnable,0,5,", kMore},
      {at + "Cpu,A1B2C3D,1,5,Java", kBadThread},
      {at + "Cpu,0A1B2C3D,-1,5,Java", "the CPU time is not decimal"},
      {at + "Cpu,0A1B2C3D,1,x,Java", bad_id},
      {at + "Cpu,0A1B2C3D,1,5,java", "no place of a CPU sample has this name"},
      {at + "Cpu,0A1B2C3D,1,5", kMissing},
      {at + "Cpu,0A1B2C3D,1,5,Java,", kMore},
      {at + "Process,-1,0", "the CPU time is not decimal"},
      {at + "Process,1,-2", "the throttled time is neither decimal nor -1"},
      {at + "Task,0,Jit,1,1,C2", "the task's number is not decimal"},
      {at + "Task,1,jit,1,1,C2", "no kind of task has this name"},
      {at + "Task,1,Jit,-1,1,C2", "the CPU time is not decimal"},
      {at + "Task,1,Jit,1,-2,C2", "the time on the run queue is neither decimal nor -1"},
      {at + "Task,1,Jit,1,1,C\\", "the task's name is not correctly escaped UTF-8"},
      {at + "Task,1,Jit,1,1", kMissing},
      {at + "Sched,0A1B2C3D,-1", "the time on the run queue is not decimal"},
      {at + "Sched,0A1B2C3D", kMissing},
      {at + "Pause,gc,1", "no pause has this name"},
      {at + "Pause,Gc,-1", "the length of the pause is not decimal"},
  };
  for (const Case &c : cases) {
    struct sample_line line;
    EXPECT_EQ(FaultText(sample_line_read(Span(c.line), &line)), c.fault) << c.line;
  }
}

}  // namespace
