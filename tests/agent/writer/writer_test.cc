#include "tests/agent/writer/writer_case.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace {

TEST_F(WriterTest, WritesEachKindOfRecordToItsFile) {
  struct stack stack = MakeSharedStack("1;00000001;00000002");
  StartRecording();
  struct record started = {};
  started.event = EVENT_THREAD_STARTED;
  started.thread = 0xA;
  started.u.name.text = strdup("main");
  started.u.name.len = 4;
  PushRecord(started);
  PushEvent(EVENT_THREAD_SLEEP, 0xA, &stack);
  struct record tick = {};
  tick.kind = RECORD_TICK;
  tick.u.tick.number = 1;
  tick.u.tick.pause_ns = 1500;
  tick.u.tick.threads = 2;
  PushRecord(tick);
  PushSample(0xA, &stack);
  PushSample(0xB, &stack);
  PushSample(0xC, nullptr);
  Define(&session_->classes, "000000C1,LA;,\n");
  Define(&session_->methods, "00000001,f,()V,000000C1,-1\n");
  Define(&session_->objects, "0000000A,000000C1\n");
  ASSERT_TRUE(StopRecording());
  EXPECT_EQ(RemoveTimes(ReadLines(".orca")),
            (Lines{"ThreadStarted,0000000A,main", "ThreadSleep,0000000A,1;00000001;00000002"}));
  EXPECT_EQ(RemoveTimes(ReadLines(".samples")),
            (Lines{"Tick,1,1500,2", "Stack,1,1;00000001;00000002", "Sample,0000000A,Runnable,5,1",
                   "Sample,0000000B,Runnable,5,1", "Sample,0000000C,Runnable,5,0"}));
  EXPECT_EQ(RemoveTimes(ReadLines(".classtable")), Lines{"000000C1,LA;,"});
  EXPECT_EQ(RemoveTimes(ReadLines(".methods")), Lines{"00000001,f,()V,000000C1,-1"});
  EXPECT_EQ(RemoveTimes(ReadLines(".objects")), Lines{"0000000A,000000C1"});
}

TEST_F(WriterTest, KeepsTimesStrictlyAscendingWithManyThreads) {
  StartRecording();
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < 4; t++) {
    threads.emplace_back([this, t] {
      struct record r = {};
      r.event = EVENT_THREAD_ENDED;
      r.thread = t;
      for (int i = 0; i < 2000; i++) PushRecord(r, t % 2);
    });
  }
  for (std::thread &t : threads) t.join();
  ASSERT_TRUE(StopRecording());
  Lines lines = ReadLines(".orca");
  ASSERT_EQ(lines.size(), 8000u);
  ticks_t last = 0;
  for (const std::string &line : lines) {
    struct event_line read;
    ASSERT_EQ(event_line_read({line.data(), line.size()}, &read), nullptr) << line;
    ASSERT_GT(read.time, last);
    last = read.time;
  }
}

// All 30 definitions have the same nanosecond, which has room for only ten timestamps.
TEST_F(WriterTest, GivesLinesOfTheSameNanosecondAscendingTimes) {
  StartRecording();
  struct definition *first = nullptr;
  for (int i = 0; i < 30; i++) Define(&session_->objects, "0000000A,000000C1\n");
  outbox_lock(&session_->objects);
  first = session_->objects.first;
  for (struct definition *d = first; d != nullptr; d = d->next) d->time_ns = first->time_ns;
  outbox_unlock(&session_->objects);
  ASSERT_TRUE(StopRecording());
  Lines lines = ReadLines(".objects");
  ASSERT_EQ(lines.size(), 30u);
  for (size_t i = 1; i < lines.size(); i++) EXPECT_LT(lines[i - 1], lines[i]);
}

TEST_F(WriterTest, ReleasesAStackOnceForEachEvent) {
  auto *own = static_cast<struct stack *>(calloc(1, sizeof(struct stack)));
  own->uses = 2;
  own->text = "0";
  own->text_len = 1;
  StartRecording();
  PushEvent(EVENT_THREAD_SLEEP, 0xA, own);
  PushEvent(EVENT_THREAD_SLEPT, 0xA, own);
  ASSERT_TRUE(StopRecording());  // AddressSanitizer reports a leak or a late use of `own`
  EXPECT_EQ(ReadLines(".orca").size(), 2u);
}

// --- files during a recording -----------------------------------------------------------------

TEST_F(WriterTest, WritesTheStartOfInfoWhenItStarts) {
  StartRecording();
  EXPECT_TRUE(HasInfoLine("format=1"));
  EXPECT_TRUE(HasInfoLine("command=java Main"));
  EXPECT_FALSE(HasInfoLine("end.reason=exit"));
}

TEST_F(WriterInVirtualTimeTest, WritesALineWithinAQuarterOfASecond) {
  StartRecording();
  for (uint32_t i = 1; i <= 9; i++) {
    PushEvent(EVENT_THREAD_ENDED, i);
    time_.Advance(250 * NS_PER_MS);
    ASSERT_EQ(ReadLines(".orca").size(), i);
    time_.Advance(i * 7 * NS_PER_MS);  // so that the next line meets another moment of the writer
  }
}

// The bounds are far above the necessary number of wakeups, and far below that of polling.
TEST_F(WriterInVirtualTimeTest, SleepsWhileNothingHappens) {
  StartRecording();
  time_.Advance(NS_PER_S);
  EXPECT_LE(writer_counts(session_->writer).wakeups, 5u);
  PushEvent(EVENT_THREAD_ENDED, 0xA);  // it wakes the writer
  time_.Advance(NS_PER_S);
  EXPECT_EQ(ReadLines(".orca").size(), 1u);
  EXPECT_LE(writer_counts(session_->writer).wakeups, 15u);
  ASSERT_TRUE(StopRecording());
  Lines info = ReadLines(".info");
  EXPECT_EQ(
      std::count_if(info.begin(), info.end(),
                    [](const std::string &line) { return line.find("writer.wakeups=") == 0; }),
      1);
}

TEST_F(WriterTest, NoticesRecordsPushedWhileItFallsAsleep) {
  StartRecording();
  for (uint32_t i = 1; i <= 200; i++) {
    PushEvent(EVENT_THREAD_ENDED, i);
    if (i % 10 != 0) continue;
    ASSERT_TRUE(Eventually([&] { return ReadCompleteLines(".orca").size() == i; }));
  }
}

TEST_F(WriterInVirtualTimeTest, HoldsLinesForTheGivenTime) {
  StartRecording(/* hold_ns */ 400 * NS_PER_MS);
  PushEvent(EVENT_THREAD_ENDED, 0xA);
  time_.Advance(400 * NS_PER_MS);
  EXPECT_EQ(ReadText(".orca"), "");
  time_.Advance(250 * NS_PER_MS);
  EXPECT_EQ(ReadLines(".orca").size(), 1u);
}

// A call that began earlier may still be recorded.
TEST_F(WriterInVirtualTimeTest, WritesNothingAfterWhatIsDecided) {
  session_->decided_ns = clock_monotonic_ns();
  StartRecording();
  time_.Advance(NS_PER_S);
  uint64_t before_ns = clock_monotonic_ns();
  PushEvent(EVENT_OBJECT_NOTIFY, 2);
  time_.Advance(NS_PER_S);
  EXPECT_EQ(ReadLines(".orca"), Lines{});
  struct record late = {};
  late.kind = RECORD_EVENT;
  late.event = EVENT_OBJECT_WAIT;
  late.time_ns = before_ns;
  late.thread = 1;
  PushRecord(late);
  __atomic_store_n(&session_->decided_ns, clock_monotonic_ns(), __ATOMIC_RELEASE);
  time_.Advance(NS_PER_S);
  Lines lines = ReadLines(".orca");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_NE(lines[0].find("ObjectWait"), std::string::npos);
  EXPECT_NE(lines[1].find("ObjectNotify"), std::string::npos);
}

TEST_F(WriterTest, WritesHeldLinesAtTheEnd) {
  StartRecording(/* hold_ns */ 3600 * NS_PER_S);
  PushEvent(EVENT_THREAD_ENDED, 0xA);
  ASSERT_TRUE(StopRecording());
  EXPECT_EQ(ReadLines(".orca").size(), 1u);
}

// At any time, .objects contains the object of every event in .orca.
TEST_F(WriterTest, WritesDefinitionsBeforeTheEventsThatUseThem) {
  StartRecording();
  std::atomic<bool> done{false};
  std::thread producer([&] {
    for (uint32_t i = 0; i < 20000; i++) {
      char body[32];
      snprintf(body, sizeof body, "%08X,000000C1\n", i);
      Define(&session_->objects, body);
      PushEvent(EVENT_THREAD_ENDED, i);
    }
    done = true;
  });
  for (bool last = false; !last;) {
    last = done;
    // The last line may be incomplete, because the writer is writing it.
    std::string events = ReadText(".orca"), objects = ReadText(".objects");
    EXPECT_LE(std::count(events.begin(), events.end(), '\n'),
              std::count(objects.begin(), objects.end(), '\n'));
  }
  producer.join();
  ASSERT_TRUE(StopRecording());
  EXPECT_EQ(ReadLines(".orca").size(), 20000u);
}

// --- counts
// ---------------------------------------------------------------------------------------

TEST_F(WriterTest, WritesALineForEachChangedCountAtTheEnd) {
  StartRecording();
  ChangeCount(EVENT_LOCK_ACQUIRED, 0xA, 3);
  ChangeCount(EVENT_READ_LOCK_ACQUIRED, 0xB, 1);
  ChangeCount(EVENT_WRITE_LOCK_ACQUIRED, 0xB, int64_t{1} << 40);
  ASSERT_TRUE(StopRecording());
  Lines lines = ReadLines(".counts");
  EXPECT_EQ(RemoveTimes(lines),
            (Lines{"LockAcquired,0000000A,+3", "WriteLockAcquired,0000000B,+1099511627776",
                   "ReadLockAcquired,0000000B,+1"}));
  EXPECT_TRUE(HasInfoLine("events.written=0"));  // counts are not events
  ticks_t last = 0;
  for (const std::string &line : lines) {
    struct count_line read;
    ASSERT_EQ(count_line_read({line.data(), line.size()}, &read), nullptr) << line;
    EXPECT_GT(read.time, last);
    last = read.time;
  }
}

TEST_F(WriterTest, LeavesCountsEmptyWithoutAChange) {
  StartRecording();
  ASSERT_TRUE(StopRecording());
  EXPECT_TRUE(std::filesystem::exists(session_->prefix + ".counts"));
  EXPECT_EQ(ReadText(".counts"), "");
}

TEST_F(WriterTest, ASnapshotWritesEachCountOnce) {
  StartRecording();
  ChangeCount(EVENT_LOCK_ACQUIRED, 0xA, 3);
  ASSERT_TRUE(TakeSnapshot());
  EXPECT_EQ(RemoveTimes(ReadLines(".counts")), Lines{"LockAcquired,0000000A,+3"});
  ChangeCount(EVENT_LOCK_ACQUIRED, 0xA, 5);
  ASSERT_TRUE(StopRecording());
  EXPECT_EQ(RemoveTimes(ReadLines(".counts")),
            (Lines{"LockAcquired,0000000A,+3", "LockAcquired,0000000A,+2"}));
}

// After the first event, as long as the counts change. The object of each count is in .objects.
TEST_F(WriterInVirtualTimeTest, WritesCountsEverySecondAfterTheirObjects) {
  StartRecording();
  PushEvent(EVENT_THREAD_ENDED, 0xA);
  for (uint32_t i = 1; i <= 2; i++) {
    Define(&session_->objects, "0000000A,000000C1\n");
    ChangeCount(EVENT_LOCK_ACQUIRED, 0xA, i);
    time_.Advance(500 * NS_PER_MS);
    EXPECT_EQ(ReadLines(".counts").size(), i - 1);
    time_.Advance(NS_PER_S);
    EXPECT_EQ(ReadLines(".counts").size(), i);
    EXPECT_EQ(ReadLines(".objects").size(), i);
  }
}

// --- the end ----------------------------------------------------------------------------------

TEST_F(WriterTest, WritesStatisticsAtTheEndOfInfo) {
  StartRecording();
  PushEvent(EVENT_THREAD_ENDED, 0xA);
  PushEvent(EVENT_THREAD_ENDED, 0xB);
  PushSample(0xA, nullptr);
  ASSERT_TRUE(StopRecording());
  for (const char *line : {"end.reason=exit", "events.written=2", "events.dropped=0",
                           "samples.written=1", "events.waited=0"}) {
    EXPECT_TRUE(HasInfoLine(line)) << line;
  }
  EXPECT_NE(ReadText(".info").find("\nend.monotonic="), std::string::npos);
}

TEST_F(WriterTest, WritesLossesWithTheirTimeRangeToInfo) {
  StartRecording();
  __atomic_store_n(&session_->figures.events_dropped, 7, __ATOMIC_RELAXED);
  ASSERT_TRUE(StopRecording());
  EXPECT_TRUE(HasInfoLine("events.dropped=7"));
  std::string info = ReadText(".info");
  size_t at = info.find("\nevents.lost=");
  ASSERT_NE(at, std::string::npos);
  std::string lost = info.substr(at + 13, info.find('\n', at + 1) - at - 13);
  struct span rest = {lost.data(), lost.size()}, from, until, count;
  ticks_t a, b;
  ASSERT_TRUE(span_cut(&rest, ',', &from) && span_cut(&rest, ',', &until) &&
              span_cut(&rest, ',', &count));
  EXPECT_TRUE(text_parse_ticks(from, &a) && text_parse_ticks(until, &b));
  EXPECT_LT(a, b);
  EXPECT_TRUE(span_is(count, "7"));
}

TEST_F(WriterTest, StopWaitsNoLongerThanItsLimit) {
  HoldEnd();
  StartRecording();
  uint64_t start = clock_monotonic_ns();
  EXPECT_FALSE(StopRecording(/* limit_ns */ 300 * NS_PER_MS));
  EXPECT_GE(clock_monotonic_ns() - start, 300 * NS_PER_MS);
  AllowEnd();
  EXPECT_TRUE(Eventually([&] { return HasInfoLine("end.reason=exit"); }));
}

// --- the threshold ----------------------------------------------------------------------------

TEST_F(WriterTest, OnlyCountsPairsShorterThanTheThreshold) {
  StartRecording(/* hold_ns */ 0, /* threshold_ns */ 3600 * NS_PER_S);
  for (uint32_t i = 0; i < 1000; i++) {
    PushEvent(EVENT_THREAD_SLEEP, 0xA);
    PushSample(0xA, nullptr);
    PushEvent(EVENT_THREAD_SLEPT, 0xA);
    PushEvent(EVENT_THREAD_PINNED, 0xA);
    PushEvent(EVENT_OBJECT_NOTIFY, 0xA);
  }
  PushEvent(EVENT_THREAD_JOIN, 0xB);
  ASSERT_TRUE(StopRecording());
  Lines lines = RemoveTimes(ReadLines(".orca"));
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "ThreadPinned,0000000A,0"), 1000);
  ASSERT_EQ(lines.size(), 1001u);
  EXPECT_EQ(lines.back(), "ThreadJoin,0000000B,00000000,0");  // it has no end event
  for (const char *line : {"events.written=1001", "samples.written=1000", "threshold.pairs=1000",
                           "threshold.wakes=1000", "threshold.early=0"}) {
    EXPECT_TRUE(HasInfoLine(line)) << line;
  }
}

TEST_F(WriterInVirtualTimeTest, WritesTheBeginOfALongPairBeforeItsEnd) {
  StartRecording(/* hold_ns */ 0, /* threshold_ns */ NS_PER_S);
  PushEvent(EVENT_THREAD_SLEEP, 0xA);
  PushEvent(EVENT_THREAD_ENDED, 0xB);
  time_.Advance(NS_PER_S);
  EXPECT_EQ(ReadText(".orca"), "");
  time_.Advance(250 * NS_PER_MS);
  EXPECT_EQ(ReadLines(".orca").size(), 2u);
  PushEvent(EVENT_THREAD_SLEPT, 0xA);
  ASSERT_TRUE(StopRecording());
  EXPECT_EQ(RemoveTimes(ReadLines(".orca")),
            (Lines{"ThreadSleep,0000000A,0", "ThreadEnded,0000000B", "ThreadSlept,0000000A,0"}));
  EXPECT_TRUE(HasInfoLine("threshold.pairs=0"));
}

// A snapshot has begin events that are held back. After it, the threshold applies again.
TEST_F(WriterTest, ASnapshotDoesNotWaitForTheThreshold) {
  StartRecording(/* hold_ns */ 0, /* threshold_ns */ 3600 * NS_PER_S);
  PushEvent(EVENT_THREAD_SLEEP, 0xA);
  ASSERT_TRUE(TakeSnapshot());
  EXPECT_EQ(ReadLines(".orca").size(), 1u);
  PushEvent(EVENT_THREAD_SLEPT, 0xA);
  PushEvent(EVENT_THREAD_SLEEP, 0xA);
  PushEvent(EVENT_THREAD_SLEPT, 0xA);
  ASSERT_TRUE(StopRecording());
  EXPECT_EQ(ReadLines(".orca").size(), 2u);
  EXPECT_TRUE(HasInfoLine("threshold.pairs=1"));
}

// The records reach the writer together, so only their times tell how long a thread lived.
TEST_F(WriterTest, LeavesOutVirtualThreadsShorterThanTheThreshold) {
  const uint64_t threshold_ns = 100 * NS_PER_MS;
  StartRecording(/* hold_ns */ 3600 * NS_PER_S, threshold_ns);
  uint64_t now = clock_monotonic_ns();
  uint32_t thread = 0xA0;
  for (uint64_t life_ns : {threshold_ns - 1, threshold_ns, 50 * threshold_ns}) {
    PushVirtual(EVENT_THREAD_STARTED, thread, now);
    PushVirtual(EVENT_THREAD_ENDED, thread++, now += life_ns);
  }
  PushVirtual(EVENT_THREAD_STARTED, 0xB0, now + 1);  // has an event
  PushVirtual(EVENT_THREAD_PINNED, 0xB0, now + 2);
  PushVirtual(EVENT_THREAD_ENDED, 0xB0, now + 3);
  ASSERT_TRUE(StopRecording());
  EXPECT_EQ(RemoveTimes(ReadLines(".orca")),
            (Lines{"ThreadStarted,000000A1,", "ThreadEnded,000000A1", "ThreadStarted,000000A2,",
                   "ThreadEnded,000000A2", "ThreadStarted,000000B0,", "ThreadPinned,000000B0,0",
                   "ThreadEnded,000000B0"}));
  EXPECT_EQ(RemoveTimes(ReadLines(".objects")),
            (Lines{"000000A1,00000C1A", "000000A2,00000C1A", "000000B0,00000C1A"}));
  EXPECT_TRUE(HasInfoLine("threshold.threads=1"));
}

// The sum of the short ones has no object.
TEST_F(WriterTest, DefinesTheTasksThatItWrites) {
  const uint64_t threshold_ns = 100 * NS_PER_MS;
  StartRecording(/* hold_ns */ 3600 * NS_PER_S, threshold_ns);
  uint64_t now = clock_monotonic_ns();
  for (uint32_t task : {0xA0, 0xA1}) {
    struct record r = {};
    r.kind = RECORD_EVENT;
    r.event = EVENT_TASK_QUEUED;
    r.thread = 0xB;
    r.object = task;
    r.owner = 0xC1A;
    r.u.executor = 0xE1;
    r.time_ns = now;
    PushRecord(r);
    r.event = EVENT_TASK_TAKEN;
    r.time_ns = now += task == 0xA0 ? threshold_ns - 1 : threshold_ns;
    PushRecord(r);
  }
  ASSERT_TRUE(StopRecording());
  EXPECT_EQ(RemoveTimes(ReadLines(".orca")),
            (Lines{"TaskQueued,0000000B,000000A1,000000E1,0", "TaskTaken,0000000B,000000A1,0"}));
  EXPECT_EQ(RemoveTimes(ReadLines(".objects")), Lines{"000000A1,00000C1A"});
  EXPECT_EQ(RemoveTimes(ReadLines(".counts")), Lines{"TaskQueued,00000000,1,99999999,99999999,0"});
}

TEST_F(WriterTest, WritesAVirtualThreadThatASampleNames) {
  StartRecording(/* hold_ns */ 3600 * NS_PER_S, /* threshold_ns */ 3600 * NS_PER_S);
  uint64_t now = clock_monotonic_ns();
  for (uint32_t thread : {0xA0, 0xA1}) PushVirtual(EVENT_THREAD_STARTED, thread, now);
  struct record sample = {};
  sample.kind = RECORD_SAMPLE;
  sample.event = 1;
  sample.thread = 0xA1;
  sample.time_ns = now + 1;
  PushRecord(sample);
  for (uint32_t thread : {0xA0, 0xA1}) PushVirtual(EVENT_THREAD_ENDED, thread, now + 2);
  ASSERT_TRUE(StopRecording());
  EXPECT_EQ(RemoveTimes(ReadLines(".orca")),
            (Lines{"ThreadStarted,000000A1,", "ThreadEnded,000000A1"}));
}

TEST_F(WriterTest, WritesNoThresholdKeysWithoutAThreshold) {
  StartRecording();
  ASSERT_TRUE(StopRecording());
  EXPECT_EQ(ReadText(".info").find("threshold."), std::string::npos);
}

// A call is shorter than the threshold, so its lines are left out; the trigger sees it all the
// same. The other one is longer than both.
TEST_F(WriterInVirtualTimeTest, TheTriggerOfMethodsSeesCallsBelowTheThreshold) {
  struct stack stack = MakeSharedStack("1;00000001;00000000");
  Define(&session_->classes, "000000C1,Lshop/Cart;,\n");
  Define(&session_->methods, "00000001,add,()V,000000C1,-1\n");
  session_->triggers = "method>100ms";
  StartRecording(/* hold_ns */ 0, /* threshold_ns */ 5 * NS_PER_S);
  std::string messages = CaptureStderr([&] {
    for (uint64_t ms : {50, 300, 6000}) {
      PushEvent(EVENT_METHOD_ENTRY, 0xA, &stack);
      time_.Advance(ms * NS_PER_MS);
      PushEvent(EVENT_METHOD_EXIT, 0xA, &stack);
      time_.Advance(3 * NS_PER_S);
    }
    ASSERT_TRUE(StopRecording());
  });
  Lines said = SplitLines(messages);
  ASSERT_EQ(said.size(), 2u) << messages;
  EXPECT_EQ(said[0].rfind("orca: trigger method: shop.Cart.add took 300 ms in thread 0000000A", 0),
            0u)
      << said[0];
  EXPECT_EQ(said[1].rfind("orca: trigger method: shop.Cart.add has run for ", 0), 0u) << said[1];
  EXPECT_EQ(ReadLines(".orca").size(), 2u) << "the long call";
}

// --- snapshots --------------------------------------------------------------------------------

// The recording itself has no end yet.
TEST_F(WriterTest, ASnapshotHasEverythingAndTheStatistics) {
  StartRecording(/* hold_ns */ 3600 * NS_PER_S);
  PushEvent(EVENT_THREAD_ENDED, 0xA);
  PushSample(0xA, nullptr);
  Define(&session_->objects, "0000000A,000000C1\n");
  ASSERT_TRUE(TakeSnapshot());
  for (const char *suffix : {".orca", ".samples", ".objects"}) {
    EXPECT_EQ(ReadLines(suffix).size(), 1u) << suffix;
    EXPECT_EQ(ReadFile(snapshot_ + suffix), ReadText(suffix));
  }
  Lines info = SplitFile(ReadFile(snapshot_ + ".info"));
  for (const char *line : {"end.reason=snapshot", "events.written=1", "samples.written=1"}) {
    EXPECT_EQ(std::count(info.begin(), info.end(), line), 1) << line;
  }
  EXPECT_EQ(ReadText(".info").find("end."), std::string::npos);
  PushEvent(EVENT_THREAD_ENDED, 0xB);  // the recording continues
  ASSERT_TRUE(StopRecording());
  EXPECT_EQ(ReadLines(".orca").size(), 2u);
  EXPECT_EQ(ReadLines(".info").back(), "locks.full=0");
  for (const char *line : {"end.reason=exit", "events.written=2"}) {
    EXPECT_TRUE(HasInfoLine(line)) << line;
  }
}

// The producer never pauses. During a snapshot, one lane may be ahead of the other.
TEST_F(WriterTest, SnapshotsEndUnderLoadAndKeepTheOrder) {
  StartRecording();
  std::atomic<bool> done{false};
  std::thread producer([&] {
    for (uint32_t i = 0; !done; i++) {
      struct record r = {};
      r.event = EVENT_THREAD_ENDED;
      r.thread = i;
      PushRecord(r, i % 2);
    }
  });
  for (int i = 0; i < 10; i++) EXPECT_TRUE(TakeSnapshot());
  done = true;
  producer.join();
  ASSERT_TRUE(StopRecording());
  Lines lines = RemoveTimes(ReadLines(".orca"));
  EXPECT_TRUE(
      std::is_sorted(lines.begin(), lines.end()));  // by the thread, whose hash has a fixed width
}

// The late answer to the snapshot is not mistaken for the answer to the stop.
TEST_F(WriterTest, StopsAfterASnapshotThatTimedOut) {
  std::promise<void> held, timed_out;
  std::thread holder([&] {
    HoldEnd();
    held.set_value();
    timed_out.get_future().wait();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    AllowEnd();
  });
  held.get_future().wait();
  StartRecording();
  EXPECT_FALSE(TakeSnapshot(50 * NS_PER_MS));
  timed_out.set_value();
  PushEvent(EVENT_THREAD_ENDED, 0xA);
  EXPECT_TRUE(StopRecording());
  EXPECT_TRUE(HasInfoLine("end.reason=exit"));
  EXPECT_TRUE(HasInfoLine("events.written=1"));
  holder.join();
}

TEST_F(WriterTest, CountsTheLinesThatItWrote) {
  StartRecording();
  PushEvent(EVENT_THREAD_ENDED, 0xA);
  PushEvent(EVENT_THREAD_ENDED, 0xB);
  PushSample(0xA, nullptr);
  ASSERT_TRUE(TakeSnapshot());
  struct writer_counts counts = writer_counts(session_->writer);
  EXPECT_EQ(counts.events, 2u);
  EXPECT_EQ(counts.samples, 1u);
}

// --- several recordings
// ---------------------------------------------------------------------------

TEST_F(WriterTest, WritesASecondRecordingToItsOwnDump) {
  struct stack old = MakeSharedStack("1;00000001;00000002"), fresh = MakeSharedStack("0");
  StartRecording();
  PushEvent(EVENT_THREAD_ENDED, 0xA);
  PushSample(0xA, &old);
  Define(&session_->objects, "0000000A,000000C1\n");
  ChangeCount(EVENT_LOCK_ACQUIRED, 0xA, 3);
  __atomic_store_n(&session_->figures.events_dropped, 3, __ATOMIC_RELAXED);
  ASSERT_TRUE(StopRecording());
  std::string first = ReadText(".orca") + ReadText(".samples") + ReadText(".objects") +
                      ReadText(".counts") + ReadText(".info");

  figures_begin(&session_->figures);
  StartNextRecording();
  EXPECT_EQ(writer_counts(session_->writer).events, 0u);
  PushEvent(EVENT_THREAD_ENDED, 0xB);
  PushSample(0xB, &fresh);
  PushSample(0xC, &old);
  PushSample(0xB, &old);
  Define(&session_->objects, "0000000B,000000C1\n");
  ASSERT_TRUE(StopRecording());
  EXPECT_EQ(RemoveTimes(ReadLines(".orca")), Lines{"ThreadEnded,0000000B"});
  // Both stacks are defined again, with new numbers.
  EXPECT_EQ(RemoveTimes(ReadLines(".samples")),
            (Lines{"Stack,2,0", "Sample,0000000B,Runnable,5,2", "Stack,3,1;00000001;00000002",
                   "Sample,0000000C,Runnable,5,3", "Sample,0000000B,Runnable,5,3"}));
  EXPECT_EQ(RemoveTimes(ReadLines(".objects")), Lines{"0000000B,000000C1"});
  EXPECT_EQ(ReadText(".counts"), "");
  for (const char *line : {"format=1", "end.reason=exit", "events.written=1", "events.dropped=0",
                           "samples.written=3"}) {
    EXPECT_TRUE(HasInfoLine(line)) << line;
  }
  EXPECT_EQ(ReadText(".info").find("events.lost"), std::string::npos);

  session_->prefix = folder_ + "/out";
  EXPECT_EQ(ReadText(".orca") + ReadText(".samples") + ReadText(".objects") + ReadText(".counts") +
                ReadText(".info"),
            first);
}

// writer_open refuses while the thread of the last recording runs.
TEST_F(WriterTest, StartsTheNextRecordingRightAfterAStop) {
  for (int i = 0; i < 500 && !HasFailure(); i++) {
    StartNextRecording();
    ASSERT_TRUE(StopRecording());
  }
}

TEST_F(WriterTest, DiscardsRecordsPushedAfterTheEnd) {
  StartRecording();
  ASSERT_TRUE(StopRecording());
  struct record stale = {};
  stale.event = EVENT_THREAD_STARTED;
  stale.u.name.text = strdup("late");  // AddressSanitizer reports a leak
  stale.u.name.len = 4;
  PushRecord(stale, 0);
  PushRecord({}, 1);
  StartNextRecording();
  PushEvent(EVENT_THREAD_ENDED, 0xB);
  ASSERT_TRUE(StopRecording());
  EXPECT_EQ(RemoveTimes(ReadLines(".orca")), Lines{"ThreadEnded,0000000B"});
  EXPECT_TRUE(HasInfoLine("events.written=1"));
}

TEST_F(WriterTest, OpensAbandonedFilesAgain) {
  EXPECT_EQ(OpenFiles(), "");
  writer_abandon(session_->writer);
  StartRecording();
  PushEvent(EVENT_THREAD_ENDED, 0xA);
  ASSERT_TRUE(StopRecording());
  EXPECT_EQ(ReadLines(".orca").size(), 1u);
}

TEST_F(WriterTest, StopSucceedsWithoutARecording) { EXPECT_TRUE(StopRecording(/* limit_ns */ 0)); }

TEST_F(WriterTest, RefusesTheNextRecordingUntilTheLastIsFinished) {
  HoldEnd();
  StartRecording();
  EXPECT_FALSE(StopRecording(/* limit_ns */ 0));
  EXPECT_EQ(OpenFiles(), "the files of the last recording are not finished yet");
  AllowEnd();
  EXPECT_TRUE(Eventually([&] { return HasInfoLine("end.reason=exit"); }));
  session_->prefix = folder_ + "/next";
  EXPECT_TRUE(Eventually([&] {
    char error[1024];
    return writer_open(session_->writer, session_->prefix.c_str(), nullptr, error, sizeof error);
  }));
  writer_abandon(session_->writer);
}

TEST_F(WriterTest, TryMakesNoFilesAndReportsTheError) {
  char error[1024] = "";
  EXPECT_TRUE(writer_try(session_->writer, session_->prefix.c_str(), error, sizeof error)) << error;
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
  EXPECT_FALSE(writer_try(session_->writer, (folder_ + "/none/out").c_str(), error, sizeof error));
  EXPECT_NE(std::string(error).find("cannot write " + folder_ + "/none/out."), std::string::npos)
      << error;
  StartRecording();  // writer_try had no effect
  PushEvent(EVENT_THREAD_ENDED, 0xA);
  ASSERT_TRUE(StopRecording());
  EXPECT_EQ(ReadLines(".orca").size(), 1u);
}

// --- errors
// ---------------------------------------------------------------------------------------

TEST_F(WriterTest, RefusesASecondWriterOfThePrefix) {
  StartRecording();
  char error[1024] = "";
  static struct writer *other = writer_new(); /* never freed */
  EXPECT_FALSE(writer_open(other, session_->prefix.c_str(), nullptr, error, sizeof error));
  EXPECT_NE(std::string(error).find("another process is writing " + session_->prefix),
            std::string::npos)
      << error;
}

TEST_F(WriterTest, NamesTheFileThatItCannotMake) {
  session_->prefix = folder_ + "/none/out";
  std::string error = OpenFiles();
  EXPECT_NE(error.find("cannot write " + session_->prefix), std::string::npos) << error;
  EXPECT_NE(error.find("No such file or directory"), std::string::npos) << error;
}

// A pipe whose reader has ended takes nothing any more.
TEST_F(WriterTest, StopsWithOneMessageWhenAFileCannotBeWritten) {
  std::string pipe = session_->prefix + ".objects";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  StartRecording();
  close(reader);
  std::string messages = CaptureStderr([&] {
    for (uint32_t i = 0; i < 500; i++) {
      Define(&session_->objects, "0000000A,000000C1\n");
      PushEvent(EVENT_THREAD_ENDED, i);
      if (i % 100 == 0) writer_wake(session_->writer);
    }
    EXPECT_TRUE(
        Eventually([&] { return !__atomic_load_n(&session_->is_recording, __ATOMIC_ACQUIRE); }));
    for (uint32_t i = 0; i < 5000; i++) PushEvent(EVENT_THREAD_ENDED, i);  // producers do not wait
    EXPECT_TRUE(StopRecording());
  });
  EXPECT_FALSE(session_->is_recording);
  EXPECT_EQ(messages,
            "orca: cannot write " + pipe + ": Broken pipe; recording stops, the program goes on\n");
  EXPECT_EQ(ReadText(".orca"), "") << "its lines name objects that nobody has";
  EXPECT_TRUE(HasInfoLine("end.reason=error"));

  StartNextRecording();
  PushEvent(EVENT_THREAD_ENDED, 0xA);
  ASSERT_TRUE(StopRecording());
  EXPECT_EQ(ReadLines(".orca").size(), 1u);
  EXPECT_TRUE(HasInfoLine("end.reason=exit"));
}

// The limit of file sizes can be raised while the program runs (prlimit).
TEST_F(WriterTest, WaitsUntilAFileMayBeLarger) {
  StartRecording();
  std::string messages = CaptureStderr([&] {
    {
      FullDisk disk(2000);
      for (uint32_t i = 0; i < 500; i++) {
        for (int j = 0; j < 2; j++) Define(&session_->objects, "0000000A,000000C1\n");
        PushEvent(EVENT_THREAD_ENDED, i);
      }
      EXPECT_TRUE(Eventually([&] { return stall_is_on(&session_->stall); }));
      EXPECT_LE(ReadText(".objects").size(), 2000u);
      ReadLines(".objects");  // checks that the last line is complete
    }
    EXPECT_TRUE(Eventually([&] { return ReadCompleteLines(".orca").size() == 500; }));
    EXPECT_TRUE(StopRecording());
  });
  EXPECT_EQ(messages,
            "orca: cannot write " + session_->prefix +
                ".objects: File too large: a file may have 2000 bytes (ulimit -f); the program "
                "goes on, and events are dropped and counted until it may be larger; the option "
                "maxsize makes several smaller files\n");
  EXPECT_EQ(ReadLines(".objects").size(), 1000u);
  EXPECT_TRUE(HasInfoLine("events.dropped=0"));
  EXPECT_TRUE(HasInfoLine("end.reason=exit"));
}

// A file that is too large until the end has been reported already.
TEST_F(WriterTest, StopsWhileAFileMayNotBeLarger) {
  StartRecording();
  std::string messages = CaptureStderr([&] {
    FullDisk disk(4000);
    for (uint32_t i = 0; i < 500; i++) PushEvent(EVENT_THREAD_ENDED, i);
    EXPECT_TRUE(Eventually([&] { return stall_is_on(&session_->stall); }));
    EXPECT_TRUE(StopRecording());
  });
  EXPECT_EQ(messages.find("cannot write"), messages.rfind("cannot write")) << messages;
  EXPECT_TRUE(HasInfoLine("end.reason=error"));
  size_t lines = ReadLines(".orca").size();
  EXPECT_TRUE(HasInfoLine("events.written=" + std::to_string(lines)));
  EXPECT_TRUE(HasInfoLine("events.dropped=" + std::to_string(500 - lines)));
}

}  // namespace
