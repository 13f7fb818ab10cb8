#include "tests/tools/orca/model/cpu_lines.h"
#include "tests/tools/orca/render/view/shown.h"

namespace {

std::string Losses(const struct model *m) {
  std::string text = ShowView(m, view_losses);
  for (size_t at; (at = text.find("\n  ")) != std::string::npos;) text.replace(at, 3, " ");
  return text;
}

TEST(ViewLosses, ACompleteDumpLacksOnlyUnsampledTime) {
  SmallModel small;
  EXPECT_EQ(
      Losses(small.Read()),
      "\nWhat is missing or not sure\n"
      "* 1 thread lived between two samples, so its CPU time is not known.\n"
      "* 1.0 % of the CPU time was used by threads that no sample found running: where they used "
      "it is not known.\n");
}

/* Other sentences are about these. */
TEST(ViewLosses, NamesNoCounterOfTheThreshold) {
  SmallModel small;
  for (const char *key : {"pairs", "young", "wakes", "threads"})
    small.files.Append(DUMP_INFO, std::string("threshold.") + key + "=5\n");
  EXPECT_FALSE(Has(Losses(small.Read()), "threshold."));
}

// Such as one of several runs of a test of Bazel.
TEST(ViewLosses, NamesNoNumberThatIsNoLoss) {
  SmallModel small;
  std::string before = Losses(small.Read());
  small.files.Append(DUMP_INFO, "test.target=//app:cart_test\ntest.shard=2 of 4\ntest.run=2\n");
  EXPECT_EQ(Losses(small.Read()), before);
}

TEST(ViewLosses, SaysNothingForADumpWithoutSamples) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS, "");
  small.files.Write(DUMP_SAMPLES, "");
  EXPECT_EQ(Losses(small.Read()), "\nWhat is missing or not sure\n* Nothing.\n");
}

TEST(ViewLosses, ShowsTheSharesOfIncompleteCpuSamples) {
  SmallModel small;
  AddCpuLines(&small.files);
  AddCpu(&small.files, "00000001,10000000,0,Lost", 10);
  AddCpu(&small.files, "00000001,10000000,1,Lost", 5);
  small.files.Append(
      DUMP_INFO, "sampler.signal.samples=58\nsampler.signal.lost=15\nsampler.signal.dropped=1\n");
  EXPECT_EQ(
      Losses(small.Read()),
      "\nWhat is missing or not sure\n"
      "* 1 CPU sample was dropped; its time is counted at the next sample of the thread.\n"
      "* 0.9 % of the CPU time was used by threads that were not sampled, and no thread of the "
      "same "
      "name was.\n"
      "* 14 % of the CPU time is in samples whose stack could not be decoded.\n"
      "* 6.4 % of the CPU time is in samples whose inner frames are known, but not their callers: "
      "the total times of these callers are too low.\n");
}

TEST(ViewLosses, ShowsTheAgentsCounters) {
  SmallModel small;
  small.files.Replace(DUMP_INFO, "events.dropped=0", "events.dropped=1204");
  small.files.Replace(DUMP_INFO, "events.waited=0", "events.waited=1");
  small.files.Append(DUMP_INFO,
                     "monitor.orphans=2\nstacks.cut=0\nfuture.losses=7\nthreshold.early="
                     "3\nthreshold.pairs=5\nfuture.name=x\n"
                     "sampler.pause.total=99\nwriter.wakeups=9\nhooks.timed=200\n"
                     "hooks.time=600000\n");
  std::string text = Losses(small.Read());
  EXPECT_TRUE(Has(text,
                  "* 1,204 events were dropped, because queues were full or files could not be "
                  "written: counts and times here are too low.\n"))
      << text;
  EXPECT_TRUE(Has(text, "* 3 events were written before their duration was known")) << text;
  EXPECT_FALSE(Has(text, "threshold.pairs")) << text;
  EXPECT_TRUE(Has(text, "* 1 time a thread had to wait for room in its queue")) << text;
  EXPECT_TRUE(Has(text, "* 2 contended acquisitions of monitors have no begin event")) << text;
  EXPECT_TRUE(Has(text, "* future.losses is 7.\n")) << text;
  EXPECT_FALSE(Has(text, "wakeups")) << text;
  EXPECT_FALSE(Has(text, "future.name")) << text;
  EXPECT_FALSE(Has(text, "sampler.pause")) << text;
  EXPECT_FALSE(Has(text, "deeper")) << text;
  EXPECT_FALSE(Has(text, "hooks.time")) << text;
}

TEST(ViewLosses, SaysThatLocksWereNotCounted) {
  SmallModel full, free, older;
  full.files.Append(DUMP_INFO, "locks.full=1\n");
  EXPECT_TRUE(Has(Losses(full.Read()),
                  "* 1 table of lock counts was full at times: some acquisitions were not "
                  "counted.\n"));
  free.files.Append(DUMP_INFO, "locks.full=0\n");
  EXPECT_FALSE(Has(Losses(free.Read()), "lock counts"));
  // Agents before this key counted the acquisitions.
  older.files.Append(DUMP_INFO, "locks.uncounted=1235480\n");
  EXPECT_TRUE(Has(Losses(older.Read()), "* locks.uncounted is 1235480.\n"));
}

TEST(ViewLosses, SaysThatAllocationsFailed) {
  SmallModel one, many, none;
  const std::string rest =
      " of the agent failed, as there was no memory: lines or their definitions may be missing.\n";
  one.files.Append(DUMP_INFO, "memory.failed=1\n");
  EXPECT_TRUE(Has(Losses(one.Read()), "* 1 allocation" + rest));
  many.files.Append(DUMP_INFO, "memory.failed=1234\n");
  EXPECT_TRUE(Has(Losses(many.Read()), "* 1,234 allocations" + rest));
  none.files.Append(DUMP_INFO, "memory.failed=0\n");
  EXPECT_FALSE(Has(Losses(none.Read()), "allocation"));
}

TEST(ViewLosses, SaysThatTheJvmWasKilled) {
  SmallModel small;
  small.files.Replace(DUMP_INFO, "end.monotonic=110.0000000000\n", "");
  small.files.Append(DUMP_EVENTS, "109.9");
  std::string text = Losses(small.Read());
  EXPECT_TRUE(
      Has(text, "* The recording has no end: the JVM was killed, or it is still running. Times"))
      << text;
  EXPECT_TRUE(Has(text, "* A file ends in the middle of a line; that line is left out.\n")) << text;
}

TEST(ViewLosses, SaysThatTheLastSumsAreMissingIfTheJvmWasKilled) {
  SmallModel small, ended;
  AddShortCalls(&small.files);
  AddShortCalls(&ended.files);
  small.files.Replace(DUMP_INFO, "end.monotonic=110.0000000000\n", "");
  std::string text = Losses(small.Read());
  EXPECT_TRUE(Has(text, "* Calls shorter than 10ms are counted up to the last sums, ")) << text;
  EXPECT_FALSE(Has(Losses(ended.Read()), "last sums"));
}

TEST(ViewLosses, CountsHalfPairsAndThreadsWithoutNames) {
  SmallModel small;
  small.files.Append(DUMP_EVENTS,
                     "109.1000000000,ThreadSlept,00000009,0\n"
                     "109.2000000000,ThreadSleep,00000002,0\n"
                     "109.3000000000,ThreadSleep,00000002,0\n"
                     "109.4000000000,ThreadStarted,00000004,again\n"
                     "109.5000000000,MethodExit,00000002,00000000,-1,1;00000010;00000000\n"
                     "109.6000000000,MethodEntry,00000002,1;00000010;00000000\n"
                     "109.7000000000,MethodEntry,00000002,1;00000012;00000000\n"
                     "109.8000000000,MethodExit,00000002,00000000,-1,1;00000010;00000000\n");
  std::string text = Losses(small.Read());
  EXPECT_TRUE(Has(text, "* 1 begin event has no end event, so its time is not counted.\n")) << text;
  EXPECT_TRUE(Has(text, "* 1 end event has no begin event")) << text;
  EXPECT_TRUE(Has(text, "* 1 call of a method has no exit, so its time is not counted.\n")) << text;
  EXPECT_TRUE(Has(text, "* 1 exit of a method has no entry, so its time is not counted.\n"))
      << text;
  EXPECT_TRUE(Has(text, "* 1 thread has no name in the dump.\n")) << text;
  EXPECT_TRUE(
      Has(text, "* 1 thread has the same identity hash as another one: both are in one row.\n"))
      << text;
}

TEST(ViewLosses, ShowsFaultsOfBrokenFiles) {
  SmallModel small;
  small.files.Append(DUMP_EVENTS, "rubbish\nrubbish\n");
  small.files.Remove(DUMP_OBJECTS);
  std::string text = Losses(small.Read());
  EXPECT_TRUE(Has(text, ".orca:23: ")) << text;
  EXPECT_TRUE(Has(text, "(2 times)")) << text;
  EXPECT_TRUE(Has(text, ".objects")) << text;
}

}  // namespace
