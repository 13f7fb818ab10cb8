#include "agent/writer/writer.h"

#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "agent/base/clock.h"
#include "agent/event/line.h"
#include "agent/meta/outbox.h"
#include "agent/meta/stack.h"
#include "gtest/gtest.h"
#include "tests/support/full_disk.h"

namespace {

using Lines = std::vector<std::string>;

std::string ReadAll(const std::string &path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// The lines of a text, which has to end in a whole one.
Lines Split(const std::string &text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  EXPECT_TRUE(text.empty() || text.back() == '\n') << text;
  return lines;
}

Lines WithoutTimes(Lines lines) {
  for (std::string &line : lines) line.erase(0, line.find(',') + 1);
  return lines;
}

// What is written to stderr while `act` runs.
std::string Stderr(const std::function<void()> &act) {
  testing::internal::CaptureStderr();
  act();
  return testing::internal::GetCapturedStderr();
}

// Waits for something that another thread is about to do; false when it is not done in 10 s.
bool Soon(const std::function<bool()> &done) {
  for (uint64_t start = clock_monotonic_ns(); clock_monotonic_ns() - start < 10 * NS_PER_S;) {
    if (done()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return done();
}

// A writer in a folder of its own, and all that it reads from.
struct Session {
  std::string prefix;
  struct writer *writer = nullptr;
  struct queue *queue = nullptr;
  struct outbox classes, methods, objects;
  uint64_t dropped = 0;
  std::mutex counting;
  std::vector<struct count_line> changed;  // counts, since they were last told
  std::atomic<int> failures{0};
  sem_t may_end;  // of a writer that is held at its end
  bool held_at_end = false;
  uint64_t maxsize = 0;
  unsigned keep = 0;

  static void Counts(void *session,
                     void (*tell)(void *, enum event_kind, uint32_t object, uint64_t count),
                     void *tell_arg) {
    Session *s = static_cast<Session *>(session);
    std::lock_guard<std::mutex> lock(s->counting);
    for (const struct count_line &line : s->changed) {
      tell(tell_arg, line.kind, line.object, static_cast<uint64_t>(line.count));
    }
    s->changed.clear();
  }
  static void Failed(void *session) { static_cast<Session *>(session)->failures++; }
  static void End(void *session, struct builder *info) {
    info_text(info, "events.waited", "0");
    if (static_cast<Session *>(session)->held_at_end) {
      sem_wait(&static_cast<Session *>(session)->may_end);
    }
  }
};

class WriterTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string path = testing::TempDir() + "/writer_XXXXXX";
    ASSERT_NE(mkdtemp(path.data()), nullptr);
    folder_ = path;
    // A writer is never freed, nor what it reads from: it might still be at it.
    static auto &all = *new std::vector<Session *>;
    all.push_back(session_ = new Session);
    session_->prefix = folder_ + "/out";
    session_->writer = writer_new();
    session_->queue = queue_new(2, 1024, writer_wake, session_->writer);
    sem_init(&session_->may_end, 0, 0);
    for (auto *box : {&session_->classes, &session_->methods, &session_->objects}) {
      outbox_init(box);
    }
  }
  void TearDown() override {
    if (!stopped_) Stop();
    std::filesystem::remove_all(folder_);
  }

  // "" or what is wrong.
  std::string Open() {
    char error[1024] = "";
    bool good = writer_open(session_->writer, session_->prefix.c_str(), error, sizeof error);
    EXPECT_EQ(good, *error == '\0');
    return error;
  }
  void Start(uint64_t hold_ns = 0, uint64_t threshold_ns = 0) {
    ASSERT_EQ(Open(), "");
    struct writer_source source = {};
    source.queue = session_->queue;
    source.classes = &session_->classes;
    source.methods = &session_->methods;
    source.objects = &session_->objects;
    source.dropped = &session_->dropped;
    source.hold_ns = hold_ns;
    source.threshold_ns = threshold_ns;
    source.counts = Session::Counts;
    source.failed = Session::Failed;
    source.end = Session::End;
    source.maxsize = session_->maxsize;
    source.keep = session_->keep;
    source.forget_objects = [](void *) {};
    source.arg = session_;
    struct info_start start = {"17", "java Main", "out", 1, 2};
    ASSERT_TRUE(writer_start(session_->writer, &source, &start));
    stopped_ = false;
  }
  bool Stop(uint64_t limit_ns = 10 * NS_PER_S) {
    stopped_ = true;
    return writer_stop(session_->writer, "exit", limit_ns);
  }

  // The next recording begins, into files of its own.
  void StartNext() {
    session_->prefix = folder_ + "/next";
    Start();
  }

  void Push(const struct record &r, unsigned lane = 0) {
    while (queue_push(session_->queue, lane, &r) == 0) std::this_thread::yield();
  }
  void PushEvent(enum event_kind kind, uint32_t thread, struct stack *stack = nullptr) {
    struct record r = {};
    r.kind = RECORD_EVENT;
    r.event = static_cast<uint8_t>(kind);
    r.thread = thread;
    r.stack = stack;
    Push(r);
  }
  void PushSample(uint32_t thread, struct stack *stack) {
    struct record r = {};
    r.kind = RECORD_SAMPLE;
    r.thread = thread;
    r.stack = stack;
    r.u.cpu_ns = 5;
    Push(r);
  }
  void Change(enum event_kind kind, uint32_t object, int64_t count) {
    std::lock_guard<std::mutex> lock(session_->counting);
    session_->changed.push_back({0, kind, object, count});
  }
  static void Define(struct outbox *box, const std::string &body) {
    struct builder b = {};
    builder_bytes(&b, body.data(), body.size());
    outbox_lock(box);
    outbox_put(box, &b);
    outbox_unlock(box);
    builder_free(&b);
  }

  std::string Text(const char *suffix) const { return ReadAll(session_->prefix + suffix); }
  Lines Of(const char *suffix) const { return Split(Text(suffix)); }
  bool InfoHas(const std::string &line) const {
    Lines info = Of(".info");
    return std::count(info.begin(), info.end(), line) == 1;
  }

  std::string folder_;
  Session *session_ = nullptr;
  bool stopped_ = true;
};

struct stack SharedStack(const char *text) {
  struct stack s = {};
  s.text = text;
  s.text_len = strlen(text);
  return s;
}

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
  std::vector<uint64_t> took;
  for (uint32_t i = 1; i <= 9; i++) {
    uint64_t start = clock_monotonic_ns();
    PushEvent(EVENT_THREAD_ENDED, i);
    ASSERT_TRUE(Soon([&] { return Of(".orca").size() == i; }));
    took.push_back(clock_monotonic_ns() - start);
  }
  std::sort(took.begin(), took.end());
  EXPECT_LE(took[took.size() / 2], 250 * NS_PER_MS);  // the median: the machine may be busy
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
    size_t events = Of(".orca").size(), objects = Of(".objects").size();
    EXPECT_LE(events, objects);
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
  Start();
  PushEvent(EVENT_THREAD_ENDED, 0xA);
  uint64_t start = clock_monotonic_ns();
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
  for (int i = 0; i < 10; i++) EXPECT_TRUE(writer_flush(session_->writer, NS_PER_S));
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

// --- in sets of files ------------------------------------------------------------------------

class WriterSetsTest : public WriterTest {
 protected:
  void SetUp() override {
    WriterTest::SetUp();
    session_->maxsize = 64 << 10;
  }

  // The prefixes of the sets, in order.
  Lines Sets() const {
    Lines sets;
    for (unsigned number = 1; number < 10000; number++) {
      char text[16];
      snprintf(text, sizeof text, ".%04u", number);
      std::string prefix = session_->prefix + text;
      if (std::filesystem::exists(prefix + ".orca")) sets.push_back(prefix);
    }
    sets.push_back(session_->prefix);
    return sets;
  }
  static int64_t InfoOf(const std::string &set, const std::string &key) {
    for (const std::string &line : Split(ReadAll(set + ".info"))) {
      if (line.rfind(key + "=", 0) == 0) return std::stoll(line.substr(key.size() + 1));
    }
    return -1;
  }
  void PushStarted(uint32_t thread, const char *name) {
    struct record r = {};
    r.event = EVENT_THREAD_STARTED;
    r.thread = thread;
    r.u.name.text = strdup(name);
    r.u.name.len = strlen(name);
    Push(r);
  }
  void DefineThread(uint32_t thread) {
    char body[32];
    snprintf(body, sizeof body, "%08X,000000C1\n", thread);
    Define(&session_->objects, body);
  }
};

TEST_F(WriterSetsTest, NothingIsLostOrTwiceAtTheSeams) {
  Start();
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < 4; t++) {
    threads.emplace_back([this, t] {
      struct record r = {};
      r.event = EVENT_THREAD_SLEPT;
      for (uint32_t i = 0; i < 5000; i++) {
        r.thread = (t + 1) << 16 | i;
        DefineThread(r.thread);
        Push(r, t % 2);
      }
    });
  }
  for (std::thread &t : threads) t.join();
  ASSERT_TRUE(Stop());
  ASSERT_GT(Sets().size(), 10u);
  std::set<uint32_t> seen;
  ticks_t last = 0;
  for (const std::string &set : Sets()) {
    std::set<std::string> objects;
    for (const std::string &line : WithoutTimes(Split(ReadAll(set + ".objects")))) {
      EXPECT_TRUE(objects.insert(line.substr(0, 8)).second) << line;
    }
    Lines lines = Split(ReadAll(set + ".orca"));
    EXPECT_EQ(InfoOf(set, "events.written"), static_cast<int64_t>(lines.size()));
    for (const std::string &line : lines) {
      struct event_line e;
      ASSERT_EQ(event_line_read({line.data(), line.size()}, &e), nullptr) << line;
      ASSERT_GT(e.time, last);
      last = e.time;
      EXPECT_TRUE(seen.insert(e.thread).second) << line;
      EXPECT_EQ(objects.count(line.substr(line.rfind(',', line.rfind(',') - 1) + 1, 8)), 1u)
          << line;
    }
  }
  EXPECT_EQ(seen.size(), 20000u);
  EXPECT_EQ(writer_counts(session_->writer).events, 20000u);
}

TEST_F(WriterSetsTest, ASetIsAboutAsLargeAsIsAskedFor) {
  Start();
  DefineThread(0xA);
  for (int i = 0; i < 20000; i++) PushEvent(EVENT_THREAD_SLEPT, 0xA);
  ASSERT_TRUE(Stop());
  Lines sets = Sets();
  ASSERT_GT(sets.size(), 5u);
  sets.pop_back();
  for (const std::string &set : sets) {
    uintmax_t size = 0;
    for (const char *suffix :
         {".orca", ".methods", ".classtable", ".objects", ".samples", ".counts", ".info"}) {
      size += std::filesystem::file_size(set + suffix);
    }
    EXPECT_GE(size, session_->maxsize);
    EXPECT_LE(size, session_->maxsize + 1000);  // with the end of .info
  }
}

TEST_F(WriterSetsTest, ASetBeginsWithWhatStands) {
  static struct stack parked = SharedStack("1;00000001;00000000");  // immortal
  Start();
  Define(&session_->classes, "000000C1,LA;,\n");
  Define(&session_->methods, "00000001,f,()V,000000C1,-1\n");
  DefineThread(0xA);
  DefineThread(0xB);
  PushStarted(0xA, "one");
  PushStarted(0xB, "two");
  struct record tick = {};
  tick.kind = RECORD_TICK;
  tick.u.tick = {1, 5, 2};
  Push(tick);
  PushSample(0xA, &parked);
  for (int i = 0; i < 3000; i++) PushEvent(EVENT_THREAD_SLEPT, 0xB);
  PushEvent(EVENT_THREAD_ENDED, 0xB);
  for (int i = 0; i < 3000; i++) PushEvent(EVENT_THREAD_SLEPT, 0xA);
  ASSERT_TRUE(Stop());
  Lines sets = Sets();
  ASSERT_GE(sets.size(), 4u);
  EXPECT_EQ(InfoOf(sets[0], "set.threads"), 0);
  EXPECT_EQ(InfoOf(sets[1], "set.threads"), 2);
  EXPECT_EQ(InfoOf(sets.back(), "set.threads"), 1);
  EXPECT_EQ(InfoOf(sets.back(), "set.number"), static_cast<int64_t>(sets.size()));
  for (size_t i = 1; i < sets.size(); i++) {
    Lines samples = WithoutTimes(Split(ReadAll(sets[i] + ".samples")));
    std::string id = std::to_string(i + 1);  // a number of its own
    EXPECT_EQ(samples, (Lines{"Tick,1,0,2", "Stack," + id + ",1;00000001;00000000",
                              "Sample,0000000A,Runnable,0," + id}));
    EXPECT_EQ(InfoOf(sets[i], "set.samples"), 3);
    EXPECT_EQ(InfoOf(sets[i], "samples.written"), 1);
    EXPECT_EQ(WithoutTimes(Split(ReadAll(sets[i] + ".classtable"))), Lines{"000000C1,LA;,"});
    EXPECT_EQ(WithoutTimes(Split(ReadAll(sets[i] + ".methods"))),
              Lines{"00000001,f,()V,000000C1,-1"});
    EXPECT_EQ(WithoutTimes(Split(ReadAll(sets[i] + ".orca")))[0], "ThreadStarted,0000000A,one");
  }
}

TEST_F(WriterSetsTest, CountsBeginAnewInEachSet) {
  Start();
  int64_t in_all = 0;
  for (int round = 1; round <= 4; round++) {
    DefineThread(0xA);
    Change(EVENT_LOCK_ACQUIRED, 0xA, in_all = round * round * 10);
    for (int i = 0; i < 2500; i++) PushEvent(EVENT_THREAD_SLEPT, 0xA);
    ASSERT_TRUE(writer_flush(session_->writer, 10 * NS_PER_S));
  }
  ASSERT_TRUE(Stop());
  int64_t sum = 0;
  for (const std::string &set : Sets()) {
    Lines counts = WithoutTimes(Split(ReadAll(set + ".counts")));
    if (!counts.empty()) sum += std::stoll(counts.back().substr(counts.back().rfind(',') + 1));
  }
  EXPECT_GT(Sets().size(), 4u);
  EXPECT_EQ(sum, in_all);
}

TEST_F(WriterSetsTest, OnlyTheNewestAreKept) {
  session_->keep = 3;
  Start();
  DefineThread(0xA);
  for (int i = 0; i < 20000; i++) PushEvent(EVENT_THREAD_SLEPT, 0xA);
  ASSERT_TRUE(Stop());
  EXPECT_EQ(Sets().size(), 3u);
  EXPECT_GT(InfoOf(session_->prefix, "set.number"), 5);
}

// A folder of that name is in the way: recording stops, and what is there stays right.
TEST_F(WriterSetsTest, WhereASetCannotBeFinishedRecordingStopsWithOneLine) {
  Start();
  DefineThread(0xA);
  std::filesystem::create_directories(session_->prefix + ".0002.objects/x");
  std::string said = Stderr([&] {
    for (int i = 0; i < 20000; i++) PushEvent(EVENT_THREAD_SLEPT, 0xA);
    EXPECT_TRUE(Stop());
  });
  EXPECT_EQ(session_->failures, 1);
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  EXPECT_NE(said.find("orca: cannot write " + session_->prefix + ".objects: "), std::string::npos)
      << said;
  std::string info = ReadAll(session_->prefix + ".info");
  EXPECT_NE(info.find("set.number=2\n"), std::string::npos);
  EXPECT_NE(info.find("end.reason=error\n"), std::string::npos);
}

TEST_F(WriterSetsTest, TheNextRecordingHasSetsOfItsOwn) {
  for (int i = 0; i < 2; i++) {
    Start();
    DefineThread(0xA + i);
    PushStarted(0xA + i, "one");
    for (int j = 0; j < 3000; j++) PushEvent(EVENT_THREAD_SLEPT, 0xA + i);
    ASSERT_TRUE(Stop());
  }
  for (const std::string &set : Sets()) {
    EXPECT_EQ(ReadAll(set + ".orca").find("0000000A"), std::string::npos) << set;
  }
  EXPECT_GE(Sets().size(), 2u);
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
