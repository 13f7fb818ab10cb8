#include "tests/agent/writer/writer_case.h"

namespace {

TEST_F(WriterTest, WritesEveryKindOfRecordWhereItBelongs) {
  struct stack stack = SharedStack("1;00000001;00000002");
  Start();
  struct record started = {};
  started.event = EVENT_THREAD_STARTED;
  started.thread = 0xA;
  started.u.name.text = strdup("main");
  started.u.name.len = 4;
  Push(started);
  PushEvent(EVENT_THREAD_SLEEP, 0xA, &stack);
  struct record tick = {};
  tick.kind = RECORD_TICK;
  tick.u.tick.number = 1;
  tick.u.tick.pause_ns = 1500;
  tick.u.tick.threads = 2;
  Push(tick);
  PushSample(0xA, &stack);
  PushSample(0xB, &stack);
  PushSample(0xC, nullptr);
  Define(&session_->classes, "000000C1,LA;,\n");
  Define(&session_->methods, "00000001,f,()V,000000C1,-1\n");
  Define(&session_->objects, "0000000A,000000C1\n");
  ASSERT_TRUE(Stop());
  EXPECT_EQ(WithoutTimes(Of(".orca")),
            (Lines{"ThreadStarted,0000000A,main", "ThreadSleep,0000000A,1;00000001;00000002"}));
  EXPECT_EQ(WithoutTimes(Of(".samples")),
            (Lines{"Tick,1,1500,2", "Stack,1,1;00000001;00000002", "Sample,0000000A,Runnable,5,1",
                   "Sample,0000000B,Runnable,5,1", "Sample,0000000C,Runnable,5,0"}));
  EXPECT_EQ(WithoutTimes(Of(".classtable")), Lines{"000000C1,LA;,"});
  EXPECT_EQ(WithoutTimes(Of(".methods")), Lines{"00000001,f,()V,000000C1,-1"});
  EXPECT_EQ(WithoutTimes(Of(".objects")), Lines{"0000000A,000000C1"});
}

TEST_F(WriterTest, TimesAscendStrictlyAlsoFromManyThreads) {
  Start();
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < 4; t++) {
    threads.emplace_back([this, t] {
      struct record r = {};
      r.event = EVENT_THREAD_ENDED;
      r.thread = t;
      for (int i = 0; i < 2000; i++) Push(r, t % 2);
    });
  }
  for (std::thread &t : threads) t.join();
  ASSERT_TRUE(Stop());
  Lines lines = Of(".orca");
  ASSERT_EQ(lines.size(), 8000u);
  ticks_t last = 0;
  for (const std::string &line : lines) {
    struct event_line read;
    ASSERT_EQ(event_line_read({line.data(), line.size()}, &read), nullptr) << line;
    ASSERT_GT(read.time, last);
    last = read.time;
  }
}

// Definitions are all of one nanosecond here, more of them than a nanosecond has tenths.
TEST_F(WriterTest, LinesOfEqualNanosecondsGetAscendingTimes) {
  Start();
  struct definition *first = nullptr;
  for (int i = 0; i < 30; i++) Define(&session_->objects, "0000000A,000000C1\n");
  outbox_lock(&session_->objects);
  first = session_->objects.first;
  for (struct definition *d = first; d != nullptr; d = d->next) d->time_ns = first->time_ns;
  outbox_unlock(&session_->objects);
  ASSERT_TRUE(Stop());
  Lines lines = Of(".objects");
  ASSERT_EQ(lines.size(), 30u);
  for (size_t i = 1; i < lines.size(); i++) EXPECT_LT(lines[i - 1], lines[i]);
}

TEST_F(WriterTest, SharedStacksAreGivenBackOnce) {
  auto *own = static_cast<struct stack *>(calloc(1, sizeof(struct stack)));
  own->uses = 2;
  own->text = "0";
  own->text_len = 1;
  Start();
  PushEvent(EVENT_THREAD_SLEEP, 0xA, own);
  PushEvent(EVENT_THREAD_SLEPT, 0xA, own);
  ASSERT_TRUE(Stop());  // AddressSanitizer tells if `own` went too early or never
  EXPECT_EQ(Of(".orca").size(), 2u);
}

// --- what is on disk while it runs ------------------------------------------------------------

TEST_F(WriterTest, TheStartOfInfoIsThereFromTheStart) {
  Start();
  EXPECT_TRUE(InfoHas("format=1"));
  EXPECT_TRUE(InfoHas("command=java Main"));
  EXPECT_FALSE(InfoHas("end.reason=exit"));
}

TEST_F(WriterTest, ALineIsInItsFileAfterAQuarterOfASecond) {
  Start();
  uint64_t best = UINT64_MAX;  // each waits for a whole interval, longer where the machine is busy
  for (uint32_t i = 1; i <= 9; i++) {
    uint64_t start = clock_monotonic_ns();
    PushEvent(EVENT_THREAD_ENDED, i);
    ASSERT_TRUE(Soon([&] { return Of(".orca").size() == i; }));
    best = std::min(best, clock_monotonic_ns() - start);
  }
  EXPECT_LE(best, 250 * NS_PER_MS);
}

// Of nothing at all it hears nothing. The bound is far above what it takes, and far below what
// looking every now and then would.
TEST_F(WriterTest, WhileNothingHappensItSleeps) {
  Start();
  std::this_thread::sleep_for(std::chrono::seconds(1));
  EXPECT_LE(writer_counts(session_->writer).wakeups, 5u);
  PushEvent(EVENT_THREAD_ENDED, 0xA);  // and is woken
  EXPECT_TRUE(Soon([&] { return Of(".orca").size() == 1; }));
  std::this_thread::sleep_for(std::chrono::seconds(1));
  EXPECT_LE(writer_counts(session_->writer).wakeups, 15u);
  ASSERT_TRUE(Stop());
  Lines info = Of(".info");
  EXPECT_EQ(
      std::count_if(info.begin(), info.end(),
                    [](const std::string &line) { return line.find("writer.wakeups=") == 0; }),
      1);
}

// Also those of the last moment, which nothing follows.
TEST_F(WriterTest, WhoeverPushesWhileItFallsAsleepIsHeard) {
  Start();
  for (uint32_t i = 1; i <= 200; i++) {
    PushEvent(EVENT_THREAD_ENDED, i);
    if (i % 10 != 0) continue;
    ASSERT_TRUE(Soon([&] { return Of(".orca").size() == i; }));
  }
}

TEST_F(WriterTest, LinesWaitAsLongAsTheyAreToBeHeld) {
  Start(/* hold_ns */ 400 * NS_PER_MS);
  uint64_t start = clock_monotonic_ns();
  PushEvent(EVENT_THREAD_ENDED, 0xA);
  ASSERT_TRUE(Soon([&] { return !Text(".orca").empty(); }));
  EXPECT_GE(clock_monotonic_ns() - start, 400 * NS_PER_MS);
}

TEST_F(WriterTest, WhatIsHeldIsWrittenAtTheEnd) {
  Start(/* hold_ns */ 3600 * NS_PER_S);
  PushEvent(EVENT_THREAD_ENDED, 0xA);
  ASSERT_TRUE(Stop());
  EXPECT_EQ(Of(".orca").size(), 1u);
}

// Whenever someone looks, every event that stands in .orca has its object in .objects.
TEST_F(WriterTest, DefinitionsAreOnDiskBeforeTheEventsThatUseThem) {
  Start();
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
    // The last line may be there in part: the writer is at it.
    std::string events = Text(".orca"), objects = Text(".objects");
    EXPECT_LE(std::count(events.begin(), events.end(), '\n'),
              std::count(objects.begin(), objects.end(), '\n'));
  }
  producer.join();
  ASSERT_TRUE(Stop());
  EXPECT_EQ(Of(".orca").size(), 20000u);
}

// --- what is only counted -----------------------------------------------------------------------

TEST_F(WriterTest, CountsThatChangedHaveALineEachAtTheEnd) {
  Start();
  Change(EVENT_LOCK_ACQUIRED, 0xA, 3);
  Change(EVENT_READ_LOCK_ACQUIRED, 0xB, 1);
  Change(EVENT_WRITE_LOCK_ACQUIRED, 0xB, int64_t{1} << 40);
  ASSERT_TRUE(Stop());
  Lines lines = Of(".counts");
  EXPECT_EQ(WithoutTimes(lines), (Lines{"LockAcquired,0000000A,3", "ReadLockAcquired,0000000B,1",
                                        "WriteLockAcquired,0000000B,1099511627776"}));
  EXPECT_TRUE(InfoHas("events.written=0"));  // they are no events of .orca
  ticks_t last = 0;
  for (const std::string &line : lines) {
    struct count_line read;
    ASSERT_EQ(count_line_read({line.data(), line.size()}, &read), nullptr) << line;
    EXPECT_GT(read.time, last);
    last = read.time;
  }
}

TEST_F(WriterTest, WithoutAChangeTheirFileIsEmpty) {
  Start();
  ASSERT_TRUE(Stop());
  EXPECT_TRUE(std::filesystem::exists(session_->prefix + ".counts"));
  EXPECT_EQ(Text(".counts"), "");
}

TEST_F(WriterTest, FlushWritesCountsTooAndTellsNoneTwice) {
  Start();
  Change(EVENT_LOCK_ACQUIRED, 0xA, 3);
  ASSERT_TRUE(writer_flush(session_->writer, 10 * NS_PER_S));
  EXPECT_EQ(WithoutTimes(Of(".counts")), Lines{"LockAcquired,0000000A,3"});
  Change(EVENT_LOCK_ACQUIRED, 0xA, 5);
  ASSERT_TRUE(Stop());
  EXPECT_EQ(WithoutTimes(Of(".counts")),
            (Lines{"LockAcquired,0000000A,3", "LockAcquired,0000000A,5"}));
}

// Once something happened, as long as they change. Who looks finds each counted object in .objects.
TEST_F(WriterTest, CountsAreWrittenEverySecondBehindTheirObjects) {
  uint64_t start = clock_monotonic_ns();
  Start();
  PushEvent(EVENT_THREAD_ENDED, 0xA);
  for (uint32_t i = 1; i <= 2; i++) {
    Define(&session_->objects, "0000000A,000000C1\n");
    Change(EVENT_LOCK_ACQUIRED, 0xA, i);
    ASSERT_TRUE(Soon([&] { return Of(".counts").size() == i; }));
    EXPECT_EQ(Of(".objects").size(), i);
  }
  EXPECT_GE(clock_monotonic_ns() - start, 2 * NS_PER_S);
}

// --- the end ----------------------------------------------------------------------------------

TEST_F(WriterTest, TheEndOfInfoSaysWhatWasWritten) {
  Start();
  PushEvent(EVENT_THREAD_ENDED, 0xA);
  PushEvent(EVENT_THREAD_ENDED, 0xB);
  PushSample(0xA, nullptr);
  ASSERT_TRUE(Stop());
  for (const char *line : {"end.reason=exit", "events.written=2", "events.dropped=0",
                           "samples.written=1", "events.waited=0"}) {
    EXPECT_TRUE(InfoHas(line)) << line;
  }
  EXPECT_NE(Text(".info").find("\nend.monotonic="), std::string::npos);
}

TEST_F(WriterTest, LossesStandInInfoWithTheTimesBetweenWhichTheyWere) {
  Start();
  __atomic_store_n(&session_->dropped, 7, __ATOMIC_RELAXED);
  ASSERT_TRUE(Stop());
  EXPECT_TRUE(InfoHas("events.dropped=7"));
  std::string info = Text(".info");
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
  session_->held_at_end = true;
  Start();
  uint64_t start = clock_monotonic_ns();
  EXPECT_FALSE(Stop(/* limit_ns */ 300 * NS_PER_MS));
  EXPECT_GE(clock_monotonic_ns() - start, 300 * NS_PER_MS);
  sem_post(&session_->may_end);
  EXPECT_TRUE(Soon([&] { return InfoHas("end.reason=exit"); }));
}

// --- the threshold ----------------------------------------------------------------------------

TEST_F(WriterTest, PairsThatTookLessThanTheThresholdAreCountedOnly) {
  Start(/* hold_ns */ 0, /* threshold_ns */ 3600 * NS_PER_S);
  for (uint32_t i = 0; i < 1000; i++) {
    PushEvent(EVENT_THREAD_SLEEP, 0xA);
    PushSample(0xA, nullptr);
    PushEvent(EVENT_THREAD_SLEPT, 0xA);
    PushEvent(EVENT_OBJECT_NOTIFY, 0xA);
  }
  PushEvent(EVENT_THREAD_JOIN, 0xB);
  ASSERT_TRUE(Stop());
  Lines lines = WithoutTimes(Of(".orca"));
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "ObjectNotify,0000000A,00000000,0"), 1000);
  ASSERT_EQ(lines.size(), 1001u);
  EXPECT_EQ(lines.back(), "ThreadJoin,0000000B,00000000,0");  // it is not over
  for (const char *line : {"events.written=1001", "samples.written=1000", "threshold.pairs=1000",
                           "threshold.early=0"}) {
    EXPECT_TRUE(InfoHas(line)) << line;
  }
}

TEST_F(WriterTest, WhatTakesLongerThanTheThresholdIsWrittenBeforeItEnds) {
  Start(/* hold_ns */ 0, /* threshold_ns */ 100 * NS_PER_MS);
  uint64_t start = clock_monotonic_ns();
  PushEvent(EVENT_THREAD_SLEEP, 0xA);
  PushEvent(EVENT_THREAD_ENDED, 0xB);
  ASSERT_TRUE(Soon([&] { return Of(".orca").size() == 2; }));
  EXPECT_GE(clock_monotonic_ns() - start, 100 * NS_PER_MS);
  PushEvent(EVENT_THREAD_SLEPT, 0xA);
  ASSERT_TRUE(Stop());
  EXPECT_EQ(WithoutTimes(Of(".orca")),
            (Lines{"ThreadSleep,0000000A,0", "ThreadEnded,0000000B", "ThreadSlept,0000000A,0"}));
  EXPECT_TRUE(InfoHas("threshold.pairs=0"));
}

// All that there is, though it is not known yet how long it takes; then it goes on.
TEST_F(WriterTest, FlushDoesNotWaitForTheThreshold) {
  Start(/* hold_ns */ 0, /* threshold_ns */ 3600 * NS_PER_S);
  PushEvent(EVENT_THREAD_SLEEP, 0xA);
  ASSERT_TRUE(writer_flush(session_->writer, 10 * NS_PER_S));
  EXPECT_EQ(Of(".orca").size(), 1u);
  PushEvent(EVENT_THREAD_SLEPT, 0xA);
  PushEvent(EVENT_THREAD_SLEEP, 0xA);
  PushEvent(EVENT_THREAD_SLEPT, 0xA);
  ASSERT_TRUE(Stop());
  EXPECT_EQ(Of(".orca").size(), 2u);
  EXPECT_TRUE(InfoHas("threshold.pairs=1"));
}

TEST_F(WriterTest, WithoutAThresholdInfoSaysNothingOfOne) {
  Start();
  ASSERT_TRUE(Stop());
  EXPECT_EQ(Text(".info").find("threshold."), std::string::npos);
}

// --- flushing ---------------------------------------------------------------------------------

TEST_F(WriterTest, FlushWritesEverythingAndTheFigures) {
  Start(/* hold_ns */ 3600 * NS_PER_S);
  PushEvent(EVENT_THREAD_ENDED, 0xA);
  PushSample(0xA, nullptr);
  Define(&session_->objects, "0000000A,000000C1\n");
  ASSERT_TRUE(writer_flush(session_->writer, 10 * NS_PER_S));
  EXPECT_EQ(Of(".orca").size(), 1u);
  EXPECT_EQ(Of(".samples").size(), 1u);
  EXPECT_EQ(Of(".objects").size(), 1u);
  for (const char *line : {"end.reason=flush", "events.written=1", "samples.written=1"}) {
    EXPECT_TRUE(InfoHas(line)) << line;
  }
  PushEvent(EVENT_THREAD_ENDED, 0xB);  // it goes on
  ASSERT_TRUE(Stop());
  EXPECT_EQ(Of(".orca").size(), 2u);
  EXPECT_EQ(Of(".info").back(), "events.waited=0");
  for (const char *line : {"end.reason=exit", "events.written=2"}) {
    EXPECT_TRUE(InfoHas(line)) << line;
  }
}

// It ends though there is always more; and of two lanes one may be further than the other then.
TEST_F(WriterTest, FlushNeitherWaitsForAPauseNorMixesUpTheOrder) {
  Start();
  std::atomic<bool> done{false};
  std::thread producer([&] {
    for (uint32_t i = 0; !done; i++) {
      struct record r = {};
      r.event = EVENT_THREAD_ENDED;
      r.thread = i;
      Push(r, i % 2);
    }
  });
  for (int i = 0; i < 10; i++) EXPECT_TRUE(writer_flush(session_->writer, 10 * NS_PER_S));
  done = true;
  producer.join();
  ASSERT_TRUE(Stop());
  Lines lines = WithoutTimes(Of(".orca"));
  EXPECT_TRUE(std::is_sorted(lines.begin(), lines.end()));  // by the thread: it has all its zeros
}

TEST_F(WriterTest, FlushWhileNothingIsWrittenIsFalse) {
  EXPECT_FALSE(writer_flush(session_->writer, 3600 * NS_PER_S));
  Start();
  ASSERT_TRUE(Stop());
  EXPECT_FALSE(writer_flush(session_->writer, 3600 * NS_PER_S));
}

// A late answer is not taken for that of the stop, nor does it make the stop forgotten.
TEST_F(WriterTest, AfterAFlushThatTookTooLongItStillStops) {
  session_->held_at_end = true;
  Start();
  EXPECT_FALSE(writer_flush(session_->writer, 50 * NS_PER_MS));
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    sem_post(&session_->may_end);  // of the flush
    sem_post(&session_->may_end);  // of the stop
  });
  PushEvent(EVENT_THREAD_ENDED, 0xA);
  EXPECT_TRUE(Stop());
  EXPECT_TRUE(InfoHas("end.reason=exit"));
  EXPECT_TRUE(InfoHas("events.written=1"));
  later.join();
}

TEST_F(WriterTest, TheCountsAreThoseOfWhatIsWritten) {
  Start();
  PushEvent(EVENT_THREAD_ENDED, 0xA);
  PushEvent(EVENT_THREAD_ENDED, 0xB);
  PushSample(0xA, nullptr);
  ASSERT_TRUE(writer_flush(session_->writer, 10 * NS_PER_S));
  struct writer_counts counts = writer_counts(session_->writer);
  EXPECT_EQ(counts.events, 2u);
  EXPECT_EQ(counts.samples, 1u);
}

// --- one recording after the other --------------------------------------------------------------

TEST_F(WriterTest, ASecondRecordingIsADumpOfItsOwn) {
  struct stack old = SharedStack("1;00000001;00000002"), fresh = SharedStack("0");
  Start();
  PushEvent(EVENT_THREAD_ENDED, 0xA);
  PushSample(0xA, &old);
  Define(&session_->objects, "0000000A,000000C1\n");
  Change(EVENT_LOCK_ACQUIRED, 0xA, 3);
  __atomic_store_n(&session_->dropped, 3, __ATOMIC_RELAXED);
  ASSERT_TRUE(Stop());
  std::string first =
      Text(".orca") + Text(".samples") + Text(".objects") + Text(".counts") + Text(".info");

  session_->dropped = 0;
  StartNext();
  EXPECT_EQ(writer_counts(session_->writer).events, 0u);
  PushEvent(EVENT_THREAD_ENDED, 0xB);
  PushSample(0xB, &fresh);
  PushSample(0xC, &old);
  PushSample(0xB, &old);
  Define(&session_->objects, "0000000B,000000C1\n");
  ASSERT_TRUE(Stop());
  EXPECT_EQ(WithoutTimes(Of(".orca")), Lines{"ThreadEnded,0000000B"});
  // Each stack has its line here too, under a new number.
  EXPECT_EQ(WithoutTimes(Of(".samples")),
            (Lines{"Stack,2,0", "Sample,0000000B,Runnable,5,2", "Stack,3,1;00000001;00000002",
                   "Sample,0000000C,Runnable,5,3", "Sample,0000000B,Runnable,5,3"}));
  EXPECT_EQ(WithoutTimes(Of(".objects")), Lines{"0000000B,000000C1"});
  EXPECT_EQ(Text(".counts"), "");
  for (const char *line : {"format=1", "end.reason=exit", "events.written=1", "events.dropped=0",
                           "samples.written=3"}) {
    EXPECT_TRUE(InfoHas(line)) << line;
  }
  EXPECT_EQ(Text(".info").find("events.lost"), std::string::npos);

  session_->prefix = folder_ + "/out";
  EXPECT_EQ(Text(".orca") + Text(".samples") + Text(".objects") + Text(".counts") + Text(".info"),
            first);
}

TEST_F(WriterTest, WhatCameAfterTheEndIsThrownAway) {
  Start();
  ASSERT_TRUE(Stop());
  struct record stale = {};
  stale.event = EVENT_THREAD_STARTED;
  stale.u.name.text = strdup("late");  // AddressSanitizer tells if it is lost
  stale.u.name.len = 4;
  Push(stale, 0);
  Push({}, 1);
  StartNext();
  PushEvent(EVENT_THREAD_ENDED, 0xB);
  ASSERT_TRUE(Stop());
  EXPECT_EQ(WithoutTimes(Of(".orca")), Lines{"ThreadEnded,0000000B"});
  EXPECT_TRUE(InfoHas("events.written=1"));
}

TEST_F(WriterTest, FilesThatWereAbandonedMayBeOpenedAgain) {
  EXPECT_EQ(Open(), "");
  writer_abandon(session_->writer);
  Start();
  PushEvent(EVENT_THREAD_ENDED, 0xA);
  ASSERT_TRUE(Stop());
  EXPECT_EQ(Of(".orca").size(), 1u);
}

TEST_F(WriterTest, WithoutARecordingThereIsNothingToStop) { EXPECT_TRUE(Stop(/* limit_ns */ 0)); }

TEST_F(WriterTest, TheNextIsRefusedUntilTheLastIsFinished) {
  session_->held_at_end = true;
  Start();
  EXPECT_FALSE(Stop(/* limit_ns */ 0));
  EXPECT_EQ(Open(), "the files of the last recording are not finished yet");
  sem_post(&session_->may_end);
  EXPECT_TRUE(Soon([&] { return InfoHas("end.reason=exit"); }));
  session_->prefix = folder_ + "/next";
  EXPECT_TRUE(Soon([&] {
    char error[1024];
    return writer_open(session_->writer, session_->prefix.c_str(), error, sizeof error);
  }));
  writer_abandon(session_->writer);
}

TEST_F(WriterTest, TryingMakesNoFilesAndSaysWhatIsWrong) {
  char error[1024] = "";
  EXPECT_TRUE(writer_try(session_->writer, session_->prefix.c_str(), error, sizeof error)) << error;
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
  EXPECT_FALSE(writer_try(session_->writer, (folder_ + "/none/out").c_str(), error, sizeof error));
  EXPECT_NE(std::string(error).find("cannot write " + folder_ + "/none/out."), std::string::npos)
      << error;
  Start();  // it is of no consequence
  PushEvent(EVENT_THREAD_ENDED, 0xA);
  ASSERT_TRUE(Stop());
  EXPECT_EQ(Of(".orca").size(), 1u);
}

// --- what goes wrong -----------------------------------------------------------------------------

TEST_F(WriterTest, ASecondWriterOfThePrefixIsRefused) {
  Start();
  char error[1024] = "";
  static struct writer *other = writer_new(); /* never freed */
  EXPECT_FALSE(writer_open(other, session_->prefix.c_str(), error, sizeof error));
  EXPECT_NE(std::string(error).find("another process is writing " + session_->prefix),
            std::string::npos)
      << error;
}

TEST_F(WriterTest, AFolderThatIsNotThereIsRefusedByName) {
  session_->prefix = folder_ + "/none/out";
  std::string error = Open();
  EXPECT_NE(error.find("cannot write " + session_->prefix), std::string::npos) << error;
  EXPECT_NE(error.find("No such file or directory"), std::string::npos) << error;
}

TEST_F(WriterTest, OnAFullDiskRecordingStopsWithOneLine) {
  Start();
  std::string said = Stderr([&] {
    FullDisk disk(2000);
    for (uint32_t i = 0; i < 500; i++) {
      Define(&session_->objects, "0000000A,000000C1\n");
      PushEvent(EVENT_THREAD_ENDED, i);
      if (i % 100 == 0) writer_wake(session_->writer);
    }
    EXPECT_TRUE(Soon([&] { return session_->failures == 1; }));
    for (uint32_t i = 0; i < 5000; i++) PushEvent(EVENT_THREAD_ENDED, i);  // it goes on taking
    EXPECT_TRUE(Stop());
  });
  EXPECT_EQ(session_->failures, 1);
  EXPECT_EQ(said, "orca: cannot write " + session_->prefix +
                      ".objects: File too large; recording stops, the program goes on\n");
  for (const char *suffix : {".orca", ".objects"}) {
    EXPECT_LE(Text(suffix).size(), 2000u);
    Of(suffix);  // ends in a whole line
  }
  EXPECT_TRUE(InfoHas("end.reason=error"));
  EXPECT_LE(Of(".orca").size(), Of(".objects").size());

  StartNext();  // there is room again
  PushEvent(EVENT_THREAD_ENDED, 0xA);
  ASSERT_TRUE(Stop());
  EXPECT_EQ(Of(".orca").size(), 1u);
  EXPECT_TRUE(InfoHas("end.reason=exit"));
}

}  // namespace
