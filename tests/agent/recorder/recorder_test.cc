#include "agent/recorder/recorder.h"

#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "agent/base/clock.h"
#include "agent/record/blocked.h"
#include "agent/record/stack.h"
#include "gtest/gtest.h"
#include "tests/support/recording.h"
#include "tests/support/virtual_time.h"

namespace {

struct record MakeEnded(uint32_t thread) {
  struct record r = {};
  r.event = EVENT_THREAD_ENDED;
  r.thread = thread;
  return r;
}

struct record MakeStarted(uint32_t thread, const char *name) {
  struct record r = MakeEnded(thread);
  r.event = EVENT_THREAD_STARTED;
  r.u.name.text = strdup(name);
  r.u.name.len = strlen(name);
  return r;
}

// Makes a stack that is not shared and has this number of uses. AddressSanitizer finds a missing
// use.
struct stack *MakeOwnStack(uint32_t uses) {
  auto *s = static_cast<struct stack *>(calloc(1, sizeof(struct stack)));
  s->uses = uses;
  return s;
}

TEST(Recorder, PutsARecordIntoTheQueue) {
  Recording r("overflow=drop");
  struct record record = MakeStarted(0xA, "main");
  EXPECT_TRUE(recorder_put(r.recorder, 0, &record));
  EXPECT_EQ(r.Records(), Lines{"ThreadStarted,0000000A,main"});
  EXPECT_EQ(r.recorder->figures.events_waited + r.recorder->figures.events_dropped, 0u);
}

TEST(Recorder, WantsTheSelectedGroupsWhileItIsOn) {
  Recording r("events=wait+monitor");
  EXPECT_TRUE(recorder_wants(r.recorder, EVENT_OBJECT_WAIT));
  EXPECT_TRUE(recorder_wants(r.recorder, EVENT_OBJECT_WAITED));
  EXPECT_TRUE(recorder_wants(r.recorder, EVENT_MONITOR_CONTENDED_ENTER));
  EXPECT_FALSE(recorder_wants(r.recorder, EVENT_THREAD_SLEEP));
  recorder_switch(r.recorder, false);
  EXPECT_FALSE(recorder_wants(r.recorder, EVENT_OBJECT_WAIT));
  recorder_switch(r.recorder, true);
}

TEST(Recorder, ChangesItsOptions) {
  Recording r("events=wait,locks=all");
  struct options next;
  char error[1000] = "";
  EXPECT_FALSE(r.recorder->counts_locks);
  ASSERT_TRUE(options_parse("x,events=sleep,budget=2%,threshold=1ms", &next, error, sizeof error));
  recorder_change(r.recorder, &next);
  EXPECT_FALSE(recorder_wants(r.recorder, EVENT_OBJECT_WAIT));
  EXPECT_TRUE(recorder_wants(r.recorder, EVENT_THREAD_SLEEP));
  EXPECT_DOUBLE_EQ(r.recorder->options.budget, 0.02);
  EXPECT_STREQ(r.recorder->options.text[OPTION_threshold], "1ms");
  EXPECT_TRUE(r.recorder->counts_locks);
  ASSERT_TRUE(options_parse("x,locks=all", &next, error, sizeof error));
  recorder_change(r.recorder, &next);
  EXPECT_TRUE(r.recorder->counts_locks); /* from now on always */
}

TEST(Recorder, RecordsNothingAndReleasesAllWhileItIsOff) {
  Recording r;
  recorder_switch(r.recorder, false);
  struct record record = MakeStarted(0xA, "main");
  record.stack = MakeOwnStack(1);
  EXPECT_FALSE(recorder_put(r.recorder, 0, &record));
  EXPECT_EQ(r.Records(), Lines{});
  EXPECT_EQ(r.recorder->figures.events_dropped, 0u);  // counts only while the recorder is on
  recorder_switch(r.recorder, true);
}

TEST(Recorder, DropCountsAndReleasesRecordsWithoutRoom) {
  Recording r("overflow=drop");
  r.FillQueue();
  for (int i = 0; i < 3; i++) {
    struct record record = MakeStarted(0xA, "main");
    record.stack = MakeOwnStack(1);
    EXPECT_FALSE(recorder_put(r.recorder, 0, &record));
  }
  EXPECT_EQ(r.recorder->figures.events_dropped, 3u);
  EXPECT_EQ(r.recorder->figures.events_waited, 0u);
}

TEST(Recorder, DropReleasesOnlyTheUseOfTheRecord) {
  Recording r("overflow=drop");
  r.FillQueue();
  struct record record = MakeEnded(0xA);
  record.stack = MakeOwnStack(2);
  recorder_put(r.recorder, 0, &record);
  EXPECT_EQ(record.stack->uses, 1u);
  stack_release(record.stack);
}

TEST(Recorder, ADroppedContendedEnterReleasesItsSlot) {
  static struct blocked_pool *pool = blocked_pool_new(); /* never freed */
  struct blocked_on on = {};
  Recording r("overflow=drop");
  r.FillQueue();
  for (int i = 0; i < 10000; i++) {  // more than the pool has slots
    struct record record = MakeEnded(0xA);
    record.event = EVENT_MONITOR_CONTENDED_ENTER;
    record.u.blocked = blocked_begin(pool, &on);
    ASSERT_NE(record.u.blocked, nullptr) << i;
    EXPECT_FALSE(recorder_put(r.recorder, 0, &record));
    blocked_end(record.u.blocked);
    blocked_release(blocked_take_unseen(pool));
  }
}

TEST(Recorder, WaitLosesNothing) {
  const int kThreads = 3, kEach = 8000;
  Recording r("overflow=wait");
  std::atomic<int> running{kThreads};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; i++) {
    threads.emplace_back([&] {
      struct record record = MakeEnded(0xA);
      for (int n = 0; n < kEach; n++) EXPECT_TRUE(recorder_put(r.recorder, 0, &record));
      running--;
    });
  }
  while (__atomic_load_n(&r.recorder->figures.events_waited, __ATOMIC_RELAXED) == 0 && running > 0)
    std::this_thread::yield();
  size_t taken = 0;
  for (bool last = false; !last;) {
    last = running == 0;
    taken += r.Records().size();
  }
  for (std::thread &t : threads) t.join();
  EXPECT_EQ(taken, size_t{kThreads} * kEach);
  EXPECT_GT(r.recorder->figures.events_waited, 0u);
  EXPECT_EQ(r.recorder->figures.events_dropped, 0u);
}

TEST(Recorder, AWaitingThreadReturnsWhenTheRecorderIsOff) {
  Recording r("overflow=wait");
  r.FillQueue();
  std::thread waiting([&] {
    struct record record = MakeStarted(0xA, "main");
    EXPECT_FALSE(recorder_put(r.recorder, 0, &record));
  });
  while (__atomic_load_n(&r.recorder->figures.events_waited, __ATOMIC_RELAXED) == 0)
    std::this_thread::yield();
  recorder_switch(r.recorder, false);
  waiting.join();
  EXPECT_EQ(r.recorder->figures.events_dropped, 1u);
  recorder_switch(r.recorder, true);
}

// At the end the writer takes all records, which makes room for those that waited.
TEST(Recorder, AWaitingThreadUsesTheRoomThatTheEndMakes) {
  VirtualTime time;  // it has not waited too long
  Recording r("overflow=wait");
  r.FillQueue();
  std::thread waiting([&] {
    struct record record = MakeStarted(0xA, "main");
    EXPECT_TRUE(recorder_put(r.recorder, 0, &record));
  });
  while (__atomic_load_n(&r.recorder->figures.events_waited, __ATOMIC_RELAXED) == 0)
    std::this_thread::yield();
  recorder_switch(r.recorder, false);
  Lines lines = r.Records();
  waiting.join();
  for (const std::string &line : r.Records()) lines.push_back(line);
  EXPECT_EQ(
      std::count_if(lines.begin(), lines.end(),
                    [](const std::string &line) { return line.find("main") != std::string::npos; }),
      1);
  EXPECT_EQ(r.recorder->figures.events_dropped, 0u);
  recorder_switch(r.recorder, true);
}

// --- stalls ---------------------------------------------------------------------------------

TEST(Recorder, AStallBeginsWhenAThreadHasNoPatience) {
  Recording r("overflow=wait,patience=20ms");
  r.FillQueue();
  testing::internal::CaptureStderr();
  uint64_t start = clock_monotonic_ns();
  for (int i = 0; i < 3; i++) {  // only the first one waits
    struct record record = MakeStarted(0xA, "main");
    EXPECT_FALSE(recorder_put(r.recorder, 0, &record));
  }
  EXPECT_GE(clock_monotonic_ns() - start, 20 * NS_PER_MS);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "orca: the files took no events for 20ms (option patience); the program goes on, and "
            "events are dropped and counted until the files take them again\n");
  EXPECT_EQ(r.recorder->figures.events_waited, 1u);
  EXPECT_EQ(r.recorder->figures.events_dropped, 3u);
  EXPECT_EQ(r.recorder->figures.events_stalled, 3u);
  EXPECT_EQ(r.recorder->figures.writer_stalls, 1u);
}

TEST(Recorder, ASecondStallIsCountedButNotReported) {
  Recording r("overflow=wait,patience=1ms");
  r.FillQueue();
  testing::internal::CaptureStderr();
  for (int i = 0; i < 2; i++) {
    struct record record = MakeStarted(0xA, "main");
    EXPECT_FALSE(recorder_put(r.recorder, 0, &record));
    stall_end(&r.recorder->stall);
  }
  std::string messages = testing::internal::GetCapturedStderr();
  EXPECT_EQ(messages.find('\n'), messages.size() - 1) << messages;
  EXPECT_EQ(r.recorder->figures.writer_stalls, 2u);
  EXPECT_EQ(r.recorder->figures.events_waited, 2u);
  r.Again("overflow=wait,patience=1ms");
  EXPECT_FALSE(stall_is_on(&r.recorder->stall));
  EXPECT_EQ(r.recorder->figures.writer_stalls + r.recorder->figures.events_stalled, 0u);
}

TEST(Recorder, DroppedEventsCountAsStalledWhileTheWriterWaitsForTheDevice) {
  VirtualTime time;
  Recording r("overflow=drop,patience=1ms");
  r.FillQueue();
  struct record record = MakeEnded(0xA);
  EXPECT_FALSE(recorder_put(r.recorder, 0, &record));
  EXPECT_EQ(r.recorder->figures.events_stalled, 0u);  // the writer may only be slow
  ASSERT_TRUE(stall_enter_device(&r.recorder->stall));
  EXPECT_FALSE(recorder_put(r.recorder, 0, &record));
  EXPECT_EQ(r.recorder->figures.events_stalled, 0u);
  time.Pass(NS_PER_MS);
  testing::internal::CaptureStderr();
  EXPECT_FALSE(recorder_put(r.recorder, 0, &record));
  EXPECT_NE(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(r.recorder->figures.events_dropped, 3u);
  EXPECT_EQ(r.recorder->figures.events_stalled, 1u);
}

TEST(Recorder, BeginSetsOptionsAndResetsCounters) {
  Recording r("overflow=drop,events=wait");
  r.FillQueue();
  struct record record = MakeEnded(0xA);
  recorder_put(r.recorder, 0, &record);
  EXPECT_EQ(r.recorder->figures.events_dropped, 1u);
  r.Again("events=sleep");
  EXPECT_EQ(r.recorder->figures.events_waited + r.recorder->figures.events_dropped, 0u);
  EXPECT_FALSE(recorder_wants(r.recorder, EVENT_OBJECT_WAIT));
  EXPECT_TRUE(recorder_wants(r.recorder, EVENT_THREAD_SLEEP));
}

TEST(Recorder, EachLaneIsFullOnItsOwn) {
  Recording r("overflow=drop");
  struct record record = MakeEnded(0xA);
  while (queue_push(r.recorder->queue, 0, &record) != 0) continue;
  EXPECT_FALSE(recorder_put(r.recorder, 0, &record));
  EXPECT_TRUE(recorder_put(r.recorder, 1, &record));
}

}  // namespace
