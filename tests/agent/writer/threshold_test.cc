#include "agent/writer/threshold.h"

#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "agent/record/stack.h"
#include "gtest/gtest.h"

namespace {

using Texts = std::vector<std::string>;

constexpr uint64_t kLeast = 10;
constexpr uint64_t kAll = UINT64_MAX;

struct record MakeEvent(uint64_t time, enum event_kind kind, uint32_t thread = 1,
                        uint32_t object = 0, struct stack *stack = nullptr) {
  struct record r = {};
  r.kind = RECORD_EVENT;
  r.event = static_cast<uint8_t>(kind);
  r.time_ns = time;
  r.thread = thread;
  r.object = object;
  r.stack = stack;
  return r;
}

class ThresholdTest : public testing::Test {
 protected:
  // Returns the events that are decided once all before `complete` were added: "TIME NAME THREAD".
  Texts TakeNext(uint64_t complete) {
    Texts texts;
    for (struct record r; threshold_next(threshold_.get(), complete, &r);) {
      texts.push_back(std::to_string(r.time_ns) + " " + event_infos[r.event].name + " " +
                      std::to_string(r.thread));
      record_release(&r);
    }
    return texts;
  }
  void AddEvent(const struct record &r) {
    threshold_add(threshold_.get(), &r);
    for (std::string &text : TakeNext(r.time_ns)) given_.push_back(text);
  }
  void AddEvent(uint64_t time, enum event_kind kind, uint32_t thread = 1, uint32_t object = 0) {
    AddEvent(MakeEvent(time, kind, thread, object));
  }
  Texts TakeGiven(uint64_t complete) {
    for (std::string &text : TakeNext(complete)) given_.push_back(text);
    Texts given;
    given.swap(given_);
    return given;
  }
  uint64_t CountPairs() const { return threshold_counts(threshold_.get()).pairs; }
  uint64_t CountEarly() const { return threshold_counts(threshold_.get()).early; }

  void SetUp() override { ASSERT_TRUE(short_lines_start(&sums_, nullptr, 1, 0)); }
  void TearDown() override { short_lines_end(&sums_); }
  // Returns the sums of what was left out: "EVENT OBJECT CALLS TOTAL LONGEST".
  Texts TakeSums() {
    Texts texts;
    short_lines_write(
        &sums_, 0,
        [](void *arg, struct short_sum *s) {
          static_cast<Texts *>(arg)->push_back(
              std::string(event_infos[s->key.kind].name) + " " + std::to_string(s->key.object) +
              " " + std::to_string(s->calls) + " " + std::to_string(s->total_ns) + " " +
              std::to_string(s->longest_ns));
        },
        &texts);
    std::sort(texts.begin(), texts.end());
    return texts;
  }

  struct short_lines sums_ = {};
  std::unique_ptr<struct threshold, void (*)(struct threshold *)> threshold_{
      threshold_new(kLeast, &sums_), threshold_free};
  Texts given_;
};

TEST_F(ThresholdTest, SumsUpWhatItLeavesOut) {
  for (uint64_t time : {100, 120, 140}) {
    AddEvent(time, EVENT_SEMAPHORE_ACQUIRE, 1, 7);
    AddEvent(time + time / 20, EVENT_SEMAPHORE_ACQUIRED, 1, 7);
  }
  AddEvent(150, EVENT_THREAD_SLEEP, 2);
  AddEvent(160, EVENT_THREAD_SLEPT, 2);
  EXPECT_EQ(TakeSums(), Texts{"SemaphoreAcquire 7 3 18 7"});
  EXPECT_EQ(TakeSums(), Texts{});
}

TEST_F(ThresholdTest, ChangesForPairsThatHaveNotEnded) {
  AddEvent(100, EVENT_THREAD_SLEEP, 1);
  threshold_change(threshold_.get(), 0);
  EXPECT_EQ(TakeGiven(101), (Texts{"100 ThreadSleep 1"}));
  AddEvent(103, EVENT_THREAD_SLEPT, 1);
  AddEvent(104, EVENT_THREAD_SLEEP, 2);
  AddEvent(105, EVENT_THREAD_SLEPT, 2);
  EXPECT_EQ(TakeGiven(106), (Texts{"103 ThreadSlept 1", "104 ThreadSleep 2", "105 ThreadSlept 2"}));
  AddEvent(110, EVENT_THREAD_SLEEP, 1);
  threshold_change(threshold_.get(), 5);
  AddEvent(113, EVENT_THREAD_SLEPT, 1);
  AddEvent(120, EVENT_THREAD_SLEEP, 2);
  AddEvent(125, EVENT_THREAD_SLEPT, 2);
  EXPECT_EQ(TakeGiven(kAll), (Texts{"110 ThreadSleep 1", "113 ThreadSlept 1", "120 ThreadSleep 2",
                                    "125 ThreadSlept 2"}));
}

// Its real length is not known.
TEST_F(ThresholdTest, KeepsAnOlderCallThatEndsSoon) {
  struct record begin = MakeEvent(100, EVENT_MONITOR_CONTENDED_ENTER);
  begin.state = RECORD_OLDER;
  AddEvent(100, EVENT_OPEN_CALL);
  AddEvent(begin);
  AddEvent(101, EVENT_MONITOR_CONTENDED_ENTERED);
  EXPECT_EQ(TakeGiven(kAll), (Texts{"100 OpenCall 1", "100 MonitorContendedEnter 1",
                                    "101 MonitorContendedEntered 1"}));
}

TEST_F(ThresholdTest, KeepsTheFirstPairAfterOlderCalls) {
  struct record begin = MakeEvent(100, EVENT_THREAD_SLEEP);
  begin.state = RECORD_OLDER;
  AddEvent(begin);
  AddEvent(begin);
  AddEvent(102, EVENT_THREAD_SLEEP, 2);
  AddEvent(103, EVENT_THREAD_SLEPT, 2);
  for (uint64_t time : {104, 106}) {
    AddEvent(time, EVENT_THREAD_SLEEP);
    AddEvent(time + 1, EVENT_THREAD_SLEPT);
  }
  EXPECT_EQ(TakeGiven(kAll), (Texts{"100 ThreadSleep 1", "100 ThreadSleep 1", "104 ThreadSleep 1",
                                    "105 ThreadSlept 1"}));
  EXPECT_EQ(CountPairs(), 2u);
}

// The thread that queues a task and the one that takes it differ.
TEST_F(ThresholdTest, LeavesOutATaskThatWaitsForLessThanTheThreshold) {
  AddEvent(100, EVENT_TASK_QUEUED, 1, 0xA);
  AddEvent(101, EVENT_TASK_QUEUED, 1, 0xB);
  AddEvent(109, EVENT_TASK_TAKEN, 2, 0xA);
  AddEvent(111, EVENT_TASK_TAKEN, 3, 0xB);
  AddEvent(112, EVENT_TASK_QUEUED, 1, 0xC); /* nobody takes it */
  AddEvent(113, EVENT_TASK_TAKEN, 2, 0xD);  /* queued before the recording */
  EXPECT_EQ(TakeGiven(kAll),
            (Texts{"101 TaskQueued 1", "111 TaskTaken 3", "112 TaskQueued 1", "113 TaskTaken 2"}));
  EXPECT_EQ(CountPairs(), 1u);
}

TEST_F(ThresholdTest, ReturnsNothingWhenEmpty) {
  EXPECT_EQ(TakeGiven(kAll), Texts());
  EXPECT_EQ(CountPairs(), 0u);
  threshold_free(nullptr);
}

TEST_F(ThresholdTest, IsEmptyWhenNothingIsHeldBack) {
  EXPECT_TRUE(threshold_is_empty(threshold_.get()));
  AddEvent(100, EVENT_THREAD_SLEEP);
  EXPECT_FALSE(threshold_is_empty(threshold_.get()));
  AddEvent(105, EVENT_THREAD_SLEPT);
  EXPECT_TRUE(threshold_is_empty(threshold_.get()));
}

TEST_F(ThresholdTest, LeavesOutAPairShorterThanTheThreshold) {
  AddEvent(100, EVENT_THREAD_SLEEP);
  AddEvent(109, EVENT_THREAD_SLEPT);
  EXPECT_EQ(TakeGiven(kAll), Texts());
  EXPECT_EQ(CountPairs(), 1u);
}

TEST_F(ThresholdTest, ReturnsAPairAsLongAsTheThreshold) {
  AddEvent(100, EVENT_THREAD_SLEEP);
  AddEvent(110, EVENT_THREAD_SLEPT);
  EXPECT_EQ(TakeGiven(110), (Texts{"100 ThreadSleep 1", "110 ThreadSlept 1"}));
  EXPECT_EQ(CountPairs(), 0u);
}

TEST_F(ThresholdTest, ReturnsABeginOlderThanTheThreshold) {
  AddEvent(100, EVENT_OBJECT_WAIT, 1, 0xA);
  EXPECT_EQ(TakeGiven(109), Texts());
  EXPECT_EQ(TakeGiven(110), Texts{"100 ObjectWait 1"});
  AddEvent(111, EVENT_OBJECT_WAITED, 1, 0xA);
  EXPECT_EQ(TakeGiven(111), Texts{"111 ObjectWaited 1"});
  EXPECT_EQ(CountEarly(), 0u);
}

TEST_F(ThresholdTest, TreatsAFailureAsAnEnd) {
  AddEvent(100, EVENT_LOCK_TRY, 1, 0xA);
  AddEvent(105, EVENT_LOCK_TRY_FAILED, 1, 0xA);
  EXPECT_EQ(TakeGiven(kAll), Texts());
  EXPECT_EQ(CountPairs(), 1u);
}

TEST_F(ThresholdTest, ReturnsSingleEventsInOrderOfTime) {
  AddEvent(99, EVENT_OBJECT_NOTIFY, 3);
  EXPECT_EQ(TakeGiven(99), Texts{"99 ObjectNotify 3"});  // no begin event is open
  AddEvent(100, EVENT_THREAD_SLEEP);
  AddEvent(101, EVENT_SEMAPHORE_RELEASE, 2, 0xA);
  AddEvent(102, EVENT_MONITOR_ENTERED, 2, 0xA);
  EXPECT_EQ(TakeGiven(105), Texts());
  EXPECT_EQ(TakeGiven(110),
            (Texts{"100 ThreadSleep 1", "101 SemaphoreRelease 2", "102 MonitorEntered 2"}));
}

TEST_F(ThresholdTest, ReturnsEventsThatWaitedForAPairThatIsLeftOut) {
  AddEvent(100, EVENT_THREAD_SLEEP);
  AddEvent(101, EVENT_SEMAPHORE_RELEASE, 2, 0xA);
  AddEvent(102, EVENT_THREAD_SLEPT);
  EXPECT_EQ(TakeGiven(102), Texts{"101 SemaphoreRelease 2"});
}

TEST_F(ThresholdTest, LeavesOutAShortPairInsideALongOne) {
  AddEvent(100, EVENT_BARRIER_AWAIT, 1, 0xA);
  AddEvent(105, EVENT_THREAD_SLEEP);
  AddEvent(108, EVENT_THREAD_SLEPT);
  AddEvent(120, EVENT_BARRIER_AWAITED, 1, 0xA);
  EXPECT_EQ(TakeGiven(120), (Texts{"100 BarrierAwait 1", "120 BarrierAwaited 1"}));
  EXPECT_EQ(CountPairs(), 1u);
}

TEST_F(ThresholdTest, MatchesOnlyEventsOfOneThread) {
  AddEvent(100, EVENT_THREAD_SLEEP, 1);
  AddEvent(101, EVENT_THREAD_SLEEP, 2);
  AddEvent(105, EVENT_THREAD_SLEPT, 2);
  AddEvent(115, EVENT_THREAD_SLEPT, 1);
  EXPECT_EQ(TakeGiven(kAll), (Texts{"100 ThreadSleep 1", "115 ThreadSlept 1"}));
}

TEST_F(ThresholdTest, MatchesOnlyEventsOfOneObjectAndKind) {
  AddEvent(100, EVENT_LOCK_ACQUIRE, 1, 0xA);
  AddEvent(101, EVENT_LOCK_ACQUIRED, 1, 0xB);
  AddEvent(102, EVENT_READ_LOCK_ACQUIRED, 1, 0xA);
  AddEvent(103, EVENT_LOCK_ACQUIRED, 1, 0xA);
  EXPECT_EQ(TakeGiven(kAll), (Texts{"101 LockAcquired 1", "102 ReadLockAcquired 1"}));
}

// The begin event was lost, or it is in the files already.
TEST_F(ThresholdTest, ReturnsAnEndWithoutABegin) {
  AddEvent(100, EVENT_THREAD_SLEPT);
  EXPECT_EQ(TakeGiven(100), Texts{"100 ThreadSlept 1"});
}

TEST_F(ThresholdTest, MatchesAnEndWithTheLatestBegin) {
  AddEvent(100, EVENT_THREAD_SLEEP);
  AddEvent(103, EVENT_THREAD_SLEEP);
  AddEvent(105, EVENT_THREAD_SLEPT);
  EXPECT_EQ(TakeGiven(kAll), Texts{"100 ThreadSleep 1"});
}

TEST_F(ThresholdTest, MatchesMethodCallsByTheirStack) {
  struct stack outer = {}, inner = {};
  AddEvent(MakeEvent(100, EVENT_METHOD_ENTRY, 1, 0, &outer));
  AddEvent(MakeEvent(101, EVENT_METHOD_ENTRY, 1, 0, &inner));
  AddEvent(MakeEvent(104, EVENT_METHOD_EXIT, 1, 0xC1, &inner));  // the class of the exception
  AddEvent(MakeEvent(112, EVENT_METHOD_EXIT, 1, 0, &outer));
  EXPECT_EQ(TakeGiven(112), (Texts{"100 MethodEntry 1", "112 MethodExit 1"}));
  EXPECT_EQ(CountPairs(), 1u);
}

// AddressSanitizer reports what is released twice or never.
TEST_F(ThresholdTest, ReleasesEventsThatItLeavesOutOrStillHolds) {
  auto *stack = static_cast<struct stack *>(calloc(1, sizeof(struct stack)));
  stack->uses = 2;
  AddEvent(MakeEvent(100, EVENT_THREAD_SLEEP, 1, 0, stack));
  AddEvent(MakeEvent(101, EVENT_THREAD_SLEPT, 1, 0, stack));
  AddEvent(102, EVENT_THREAD_SLEEP);
  struct record started = MakeEvent(103, EVENT_THREAD_STARTED, 2);
  started.u.name.text = strdup("main");
  started.u.name.len = 4;
  AddEvent(started);
  EXPECT_EQ(given_, Texts());
}

// --- the bound ---------------------------------------------------------------------------------

TEST_F(ThresholdTest, ReturnsTheEarliestBeginAndItsEndAtTheBound) {
  AddEvent(100, EVENT_THREAD_SLEEP, 1);
  for (size_t i = 1; i < THRESHOLD_MAX_HELD; i++) AddEvent(101, EVENT_SEMAPHORE_RELEASE, 2, 0xA);
  EXPECT_EQ(given_, Texts());
  AddEvent(102, EVENT_SEMAPHORE_RELEASE, 2, 0xA);
  EXPECT_EQ(CountEarly(), 1u);
  ASSERT_EQ(given_.size(), THRESHOLD_MAX_HELD + 1);  // only the begin event was held back
  EXPECT_EQ(given_.front(), "100 ThreadSleep 1");
  AddEvent(103, EVENT_THREAD_SLEPT, 1);
  EXPECT_EQ(given_.back(), "103 ThreadSlept 1");
  EXPECT_EQ(CountPairs(), 0u);
}

TEST_F(ThresholdTest, BoundsTheNumberOfOpenBegins) {
  size_t num = THRESHOLD_MAX_HELD + 1000;
  for (size_t i = 1; i <= num; i++) AddEvent(100, EVENT_THREAD_SLEEP, static_cast<uint32_t>(i));
  EXPECT_EQ(CountEarly(), 1000u);
  EXPECT_EQ(given_.size(), 1000u);
  for (size_t i = num; i > 0; i--) AddEvent(101, EVENT_THREAD_SLEPT, static_cast<uint32_t>(i));
  EXPECT_EQ(CountPairs(), THRESHOLD_MAX_HELD);
  EXPECT_EQ(TakeGiven(kAll).size(), 2000u);
}

// --- comparison with a model
// -----------------------------------------------------------------------

// Random nested pairs of a few threads, and single events between them. The model knows the whole
// sequence when it decides which events are returned.
TEST_F(ThresholdTest, ReturnsExactlyTheLongPairsAndSingleEvents) {
  struct Line {
    struct record event;
    bool is_expected;
  };
  std::mt19937 random(7);
  std::vector<Line> lines;
  std::map<uint32_t, std::vector<size_t>> inside;
  size_t num_short = 0;
  for (uint64_t time = 1; time < 100000; time += random() % 3) {
    uint32_t thread = 1 + static_cast<uint32_t>(random() % 5);
    std::vector<size_t> &calls = inside[thread];
    unsigned what = random() % 5;
    if (what == 0) {
      lines.push_back({MakeEvent(time, EVENT_OBJECT_NOTIFY, thread), true});
    } else if (what < 3 && calls.size() < 6) {
      bool method = random() % 2 == 0;
      calls.push_back(lines.size());
      lines.push_back(
          {MakeEvent(time, method ? EVENT_METHOD_ENTRY : EVENT_LOCK_ACQUIRE, thread), true});
    } else if (!calls.empty()) {
      Line &begin = lines[calls.back()];
      calls.pop_back();
      bool is_long = time - begin.event.time_ns >= kLeast;
      num_short += !is_long;
      begin.is_expected = is_long;
      auto end = static_cast<enum event_kind>(begin.event.event + 1);
      lines.push_back({MakeEvent(time, end, thread), is_long});
    }
  }
  Texts expected;
  for (const Line &line : lines) {
    AddEvent(line.event);
    if (!line.is_expected) continue;
    expected.push_back(std::to_string(line.event.time_ns) + " " +
                       event_infos[line.event.event].name + " " +
                       std::to_string(line.event.thread));
  }
  EXPECT_EQ(TakeGiven(kAll), expected);
  EXPECT_EQ(CountPairs(), num_short);
  EXPECT_GT(num_short, 1000u);
  EXPECT_GT(expected.size(), 10000u);
}

}  // namespace
