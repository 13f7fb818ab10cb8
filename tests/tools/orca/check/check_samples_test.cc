#include "tests/support/check_dump.h"

namespace {

// Announces 0000000C as a thread.
void Announce(DumpFiles *files) { Event("ThreadStarted,0000000C,third")(files); }

TEST(CheckSamples, ReportsEachBrokenRule) {
  ExpectRefusals(
      RULE_TICK_ORDER, RULE_THREAD_SILENT,
      {
          {RULE_TICK_ORDER,
           "out.samples:11: the tick number 4 is not higher than that of the tick before\n",
           Sample("Tick,4,0,0")},
          {RULE_TICK_MISSING, "out.samples:2: a sample comes before the first tick (2 times)\n",
           Replaced(DUMP_SAMPLES, "200.0000000001,Tick,1,1500,2\n", "")},
          {RULE_STACK_ZERO, "out.samples:11: a stack has the id 0, which means no stack\n",
           Sample("Stack,0,0")},
          {RULE_STACK_AGAIN, "out.samples:11: the stack id 1 is used a second time\n",
           Sample("Stack,1,1;00000009;00000008")},
          {RULE_STACK_UNKNOWN, "out.samples:11: the stack 3 is not defined before its use\n",
           Sample("Sample,0000000A,Runnable,9,3")},
          {RULE_STACK_NONE, "out.samples:11: the sample of a live thread has no stack\n",
           Sample("Sample,0000000A,Runnable,9,0")},
          {RULE_TERMINATED_STACK, "out.samples:11: a terminated thread has the stack 1\n",
           Sample("Sample,0000000A,Terminated,9,1")},
          {RULE_TERMINATED_ALONE,
           "out.samples:11: the thread 0000000C is terminated, but it had no sample before\n",
           [](DumpFiles *files) {
             Announce(files);
             Sample("Sample,0000000C,Terminated,-1,0")(files);
           }},
          {RULE_SAMPLE_SAME,
           "out.samples:11: the sample of the thread 0000000A is the same as its last one\n",
           Sample("Sample,0000000A,Runnable,0,1")},
          {RULE_THREAD_ZERO, "out.samples:11: the thread is 00000000\n",
           Sample("Sample,00000000,Runnable,5,1")},
          {RULE_STACK_METHOD,
           "out.samples:11: the method 000000FF of the stack has no line in .methods\n",
           Sample("Stack,3,1;000000FF;00000000")},
          {RULE_STACK_METHOD,
           "out.samples:11: the method 00000000 of the stack has no line in .methods\n",
           Sample("Stack,3,2;00000000;00000000;00000009;00000008")},
          {RULE_THREAD_ZERO, "out.samples:11: the thread is 00000000\n",
           Sample("Cpu,00000000,5,1,Java")},
          {RULE_STACK_UNKNOWN, "out.samples:11: the stack 3 is not defined before its use\n",
           Sample("Cpu,0000000A,5,3,Vm")},
          {RULE_CPU_STACK, "out.samples:11: CPU time of the place Unsampled has the stack 1\n",
           Sample("Cpu,0000000A,5,1,Unsampled")},
          {RULE_CPU_THREAD,
           "out.samples: the thread 0000000F used CPU time, but no other line names it\n",
           Sample("Cpu,0000000F,5,1,Java")},
          {RULE_THREAD_SILENT, "out.samples: the thread 0000000C has no ThreadStarted in .orca\n",
           Sample("Sample,0000000C,Runnable,9,1")},
          {RULE_THREAD_SILENT, "out.samples: the thread 0000000C has no ThreadStarted in .orca\n",
           Sample("Sample,0000000C,Terminated,9,0")},
          {RULE_THREAD_SILENT, "out.samples: the thread 0000000C has no ThreadStarted in .orca\n",
           Sample("Cpu,0000000C,5,1,Java")},
          {RULE_THREAD_SILENT, "out.samples: the thread 0000000C has no ThreadStarted in .orca\n",
           Sample("Sched,0000000C,5")},
      });
}

TEST(CheckSamples, AcceptsATerminatedThreadWhoseSampleMayBeLost) {
  DumpFiles files;
  WriteGoodDump(&files);
  Announce(&files);
  Sample("Sample,0000000C,Terminated,0,0")(&files);
  EXPECT_NE(Joined(Check(files).lines), "");
  files.Replace(DUMP_INFO, "events.dropped=0", "events.dropped=1");
  EXPECT_EQ(Joined(Check(files).lines), "");
}

// A virtual thread that ran before the recording need not have an event.
TEST(CheckSamples, AcceptsAThreadWithoutStartThatMayBeVirtual) {
  const std::string fault = "out.samples: the thread 0000000C has no ThreadStarted in .orca\n";
  const struct {
    const char *version, *line;
    std::string expected;
  } cases[] = {
      {"18.0.2+9", "Cpu,0000000C,5,1,Java", fault},
      {"19+36", "Cpu,0000000C,5,1,Java", ""},
      {"25.0.1+8", "Sample,0000000C,Runnable,9,1", ""},
      {"25.0.1+8", "Sample,0000000C,Terminated,9,0", fault},
      {"25.0.1+8", "Sched,0000000C,5", fault},
      {"unknown", "Sample,0000000C,Runnable,9,1", ""},
      {"25.452-b09", "Sample,0000000C,Runnable,9,1", ""},  // JDK 8
      {"25.452-b09", "Sample,0000000C,Terminated,9,0", fault},
  };
  for (const auto &c : cases) {
    DumpFiles files;
    WriteGoodDump(&files);
    files.Replace(DUMP_INFO, "java.version=17.0.1", std::string("java.version=") + c.version);
    Sample(c.line)(&files);
    EXPECT_EQ(Joined(Check(files).lines), c.expected) << c.version << " " << c.line;
  }
}

TEST(CheckSamples, AcceptsAThreadWithoutStartIfEventsMayBeMissing) {
  const std::pair<std::string, std::string> changes[] = {
      {"events=all", "events=wait"},
      {"pid=4711\n", "pid=4711\nchange=150.0000000000,150.0000000001,set,events=wait\n"},
      {"events.dropped=0", "events.dropped=1"},
      {"sampler.pause.total=4500", "sampler.pause.total=4500\nmemory.failed=1"},
      {"pid=4711\n", "pid=4711\nset.number=1\n"},
      {"pid=4711\n", "pid=4711\nset.number=2\n"},
      {"end.reason=exit", "end.reason=flush"},
      {"end.reason=exit", "end.reason=rotated"},
      {"end.reason=exit", "end.reason=error"},
  };
  for (const auto &[from, to] : changes) {
    DumpFiles files;
    WriteGoodDump(&files);
    Sample("Sample,0000000C,Terminated,9,0")(&files);
    EXPECT_NE(Joined(Check(files).lines), "");
    files.Replace(DUMP_INFO, from, to);
    EXPECT_EQ(Joined(Check(files).lines), "") << to;
  }
}

// Nothing says up to where the files of a JVM that was killed are complete.
TEST(CheckSamples, AcceptsAThreadWithoutStartIfTheJvmWasKilled) {
  DumpFiles files;
  WriteGoodDump(&files);
  Sample("Sample,0000000C,Terminated,9,0")(&files);
  std::string info = files.Text(DUMP_INFO);
  files.Write(DUMP_INFO, info.substr(0, info.find("end.monotonic")));
  EXPECT_EQ(Joined(Check(files).lines), "");
}

TEST(CheckSamples, JudgesEveryEndThatIsComplete) {
  for (const char *reason : {"exit", "stop", "duration", "snapshot", "signal TERM"}) {
    DumpFiles files;
    WriteGoodDump(&files);
    Sample("Sample,0000000C,Terminated,9,0")(&files);
    files.Replace(DUMP_INFO, "end.reason=exit", std::string("end.reason=") + reason);
    EXPECT_EQ(Check(files).kinds, std::vector<std::string>{"THREAD_SILENT"}) << reason;
  }
}

TEST(CheckSamples, AcceptsCpuLinesAndCutStacks) {
  DumpFiles files;
  WriteGoodDump(&files);
  Announce(&files);
  Sample("Stack,3,2;00000009;00000008;00000000;00000000")(&files);
  for (const char *line : {"Cpu,0000000A,5,3,Java", "Cpu,0000000A,5,1,Native",
                           "Cpu,0000000B,5,0,Vm", "Cpu,0000000B,0,3,Lost", "Cpu,0000000B,0,0,Lost",
                           "Cpu,0000000C,7,0,Unsampled", "Sample,0000000C,Terminated,9,0"}) {
    Sample(line)(&files);
  }
  Found found = Check(files);
  EXPECT_EQ(Joined(found.lines), "");
  EXPECT_EQ(found.totals.samples, 6u);  // only Sample lines
}

TEST(CheckSamples, AcceptsAnUnknownThreadIfEventsWereDropped) {
  DumpFiles files;
  WriteGoodDump(&files);
  files.Replace(DUMP_INFO, "events.dropped=0", "events.dropped=1");
  Sample("Cpu,0000000F,5,1,Java")(&files);
  EXPECT_EQ(Joined(Check(files).lines), "");
}

TEST(CheckSamples, ReportsEachBrokenRuleAboutTheProcess) {
  auto AppendSamples = [](const std::string &lines) { return Line(DUMP_SAMPLES, lines); };
  ExpectRefusals(
      RULE_SCHED_NOTHING, RULE_TASKS_MORE,
      {
          {RULE_SCHED_NOTHING,
           "out.samples:11: the thread 0000000A has a Sched line with the wait time 0\n",
           Sample("Sched,0000000A,0")},
          {RULE_THREAD_ZERO, "out.samples:11: the thread is 00000000\n",
           Sample("Sched,00000000,5")},
          {RULE_PAUSE_EARLY,
           "out.samples:11: a pause of 101500000001 ns began before the recording\n",
           AppendSamples("200.5000000000,Pause,Gc,101500000001\n200.5000000001,Pause,Gc,0")},
          {RULE_PAUSE_OVERLAP,
           "out.samples:12: a pause of 500000001 ns overlaps the pause before it\n",
           AppendSamples("201.0000000000,Pause,Gc,500000000\n201.5000000000,Pause,Gc,500000001")},
          {RULE_TASKS_MORE,
           "out.samples:12: the tasks used more CPU time than the process: 4400000000 ns\n",
           AppendSamples("201.0000000000,Task,7,Jit,4400000000,-1,C2\n"
                         "201.0000000001,Process,3000000000,-1")},
      });
}

TEST(CheckSamples, AcceptsLinesAboutTheProcess) {
  DumpFiles files;
  WriteGoodDump(&files);
  files.Append(DUMP_SAMPLES,
               "201.0000000000,Pause,Gc,500000000\n"
               "201.5000000000,Pause,Gc,500000000\n"
               "201.6000000000,Task,7,Jit,1000,0,C2 CompilerThre\n"
               "201.6000000001,Task,8,Native,0,-1,zlib\n"
               "201.6000000002,Sched,0000000A,1\n"
               "201.6000000003,Process,1000,0\n"
               "201.7000000000,Task,7,Gc,2000,0,GC Thread#0\n" /* another thread with this tid */
               "201.7000000001,Process,5000,-1\n");
  EXPECT_EQ(Joined(Check(files).lines), "");
}

TEST(CheckSamples, AcceptsAThreadThatLivedBetweenTwoTicks) {
  DumpFiles files;
  WriteGoodDump(&files);
  Announce(&files);
  Sample("Sample,0000000C,Terminated,9,0")(&files);
  EXPECT_EQ(Joined(Check(files).lines), "");
}

TEST(CheckSamples, AcceptsADumpWithoutSamples) {
  DumpFiles files;
  WriteGoodDump(&files);
  files.Write(DUMP_SAMPLES, "");
  files.Replace(DUMP_INFO, "samples.written=5", "samples.written=0");
  EXPECT_EQ(Joined(Check(files).lines), "");
}

}  // namespace
