#include "agent/writer/threshold.h"

#include <stdlib.h>
#include <string.h>

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

struct record Event(uint64_t time, enum event_kind kind, uint32_t thread = 1, uint32_t object = 0,
                    struct stack *stack = nullptr) {
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
  // What is given once all before `complete` is there: "TIME NAME THREAD".
  Texts Next(uint64_t complete) {
    Texts texts;
    for (struct record r; threshold_next(threshold_.get(), complete, &r);) {
      texts.push_back(std::to_string(r.time_ns) + " " + event_infos[r.event].name + " " +
                      std::to_string(r.thread));
      record_release(&r);
    }
    return texts;
  }
  void Add(const struct record &r) {
    threshold_add(threshold_.get(), &r);
    for (std::string &text : Next(r.time_ns)) given_.push_back(text);
  }
  void Add(uint64_t time, enum event_kind kind, uint32_t thread = 1, uint32_t object = 0) {
    Add(Event(time, kind, thread, object));
  }
  Texts Given(uint64_t complete) {
    for (std::string &text : Next(complete)) given_.push_back(text);
    Texts given;
    given.swap(given_);
    return given;
  }
  uint64_t Pairs() const { return threshold_counts(threshold_.get()).pairs; }
  uint64_t Early() const { return threshold_counts(threshold_.get()).early; }

  std::unique_ptr<struct threshold, void (*)(struct threshold *)> threshold_{threshold_new(kLeast),
                                                                             threshold_free};
  Texts given_;
};

TEST_F(ThresholdTest, NothingIsNothing) {
  EXPECT_EQ(Given(kAll), Texts());
  EXPECT_EQ(Pairs(), 0u);
  threshold_free(nullptr);
}

TEST_F(ThresholdTest, IsEmptyWhenNothingIsHeldBack) {
  EXPECT_TRUE(threshold_is_empty(threshold_.get()));
  Add(100, EVENT_THREAD_SLEEP);
  EXPECT_FALSE(threshold_is_empty(threshold_.get()));
  Add(105, EVENT_THREAD_SLEPT);
  EXPECT_TRUE(threshold_is_empty(threshold_.get()));
}

TEST_F(ThresholdTest, APairThatTookLessIsLeftOut) {
  Add(100, EVENT_THREAD_SLEEP);
  Add(109, EVENT_THREAD_SLEPT);
  EXPECT_EQ(Given(kAll), Texts());
  EXPECT_EQ(Pairs(), 1u);
}

TEST_F(ThresholdTest, APairThatTookAsLongIsThere) {
  Add(100, EVENT_THREAD_SLEEP);
  Add(110, EVENT_THREAD_SLEPT);
  EXPECT_EQ(Given(110), (Texts{"100 ThreadSleep 1", "110 ThreadSlept 1"}));
  EXPECT_EQ(Pairs(), 0u);
}

TEST_F(ThresholdTest, ABeginIsGivenWhenItIsOldEnoughWhateverBecomesOfIt) {
  Add(100, EVENT_OBJECT_WAIT, 1, 0xA);
  EXPECT_EQ(Given(109), Texts());
  EXPECT_EQ(Given(110), Texts{"100 ObjectWait 1"});
  Add(111, EVENT_OBJECT_WAITED, 1, 0xA);
  EXPECT_EQ(Given(111), Texts{"111 ObjectWaited 1"});
  EXPECT_EQ(Early(), 0u);
}

TEST_F(ThresholdTest, AFailureIsAnEnd) {
  Add(100, EVENT_LOCK_TRY, 1, 0xA);
  Add(105, EVENT_LOCK_TRY_FAILED, 1, 0xA);
  EXPECT_EQ(Given(kAll), Texts());
  EXPECT_EQ(Pairs(), 1u);
}

TEST_F(ThresholdTest, WhatComesAloneIsThereInOrderOfTime) {
  Add(99, EVENT_OBJECT_NOTIFY, 3);
  EXPECT_EQ(Given(99), Texts{"99 ObjectNotify 3"});  // nothing to wait for
  Add(100, EVENT_THREAD_SLEEP);
  Add(101, EVENT_SEMAPHORE_RELEASE, 2, 0xA);
  Add(102, EVENT_MONITOR_ENTERED, 2, 0xA);
  EXPECT_EQ(Given(105), Texts());
  EXPECT_EQ(Given(110),
            (Texts{"100 ThreadSleep 1", "101 SemaphoreRelease 2", "102 MonitorEntered 2"}));
}

TEST_F(ThresholdTest, WhatWaitedBehindAPairThatIsLeftOutIsGivenAtOnce) {
  Add(100, EVENT_THREAD_SLEEP);
  Add(101, EVENT_SEMAPHORE_RELEASE, 2, 0xA);
  Add(102, EVENT_THREAD_SLEPT);
  EXPECT_EQ(Given(102), Texts{"101 SemaphoreRelease 2"});
}

TEST_F(ThresholdTest, AShortPairInsideOfALongOneIsLeftOutAlone) {
  Add(100, EVENT_BARRIER_AWAIT, 1, 0xA);
  Add(105, EVENT_THREAD_SLEEP);
  Add(108, EVENT_THREAD_SLEPT);
  Add(120, EVENT_BARRIER_AWAITED, 1, 0xA);
  EXPECT_EQ(Given(120), (Texts{"100 BarrierAwait 1", "120 BarrierAwaited 1"}));
  EXPECT_EQ(Pairs(), 1u);
}

TEST_F(ThresholdTest, ThreadsDoNotEndEachOthersPairs) {
  Add(100, EVENT_THREAD_SLEEP, 1);
  Add(101, EVENT_THREAD_SLEEP, 2);
  Add(105, EVENT_THREAD_SLEPT, 2);
  Add(115, EVENT_THREAD_SLEPT, 1);
  EXPECT_EQ(Given(kAll), (Texts{"100 ThreadSleep 1", "115 ThreadSlept 1"}));
}

TEST_F(ThresholdTest, AnEndIsThatOfTheSameObjectAndKind) {
  Add(100, EVENT_LOCK_ACQUIRE, 1, 0xA);
  Add(101, EVENT_LOCK_ACQUIRED, 1, 0xB);
  Add(102, EVENT_READ_LOCK_ACQUIRED, 1, 0xA);
  Add(103, EVENT_LOCK_ACQUIRED, 1, 0xA);
  EXPECT_EQ(Given(kAll), (Texts{"101 LockAcquired 1", "102 ReadLockAcquired 1"}));
}

// An end whose begin was lost, or stands in the files already, is written.
TEST_F(ThresholdTest, AnEndAloneIsThere) {
  Add(100, EVENT_THREAD_SLEPT);
  EXPECT_EQ(Given(100), Texts{"100 ThreadSlept 1"});
}

TEST_F(ThresholdTest, ABeginWhoseEndWasLostDoesNotTakeTheNextOne) {
  Add(100, EVENT_THREAD_SLEEP);
  Add(103, EVENT_THREAD_SLEEP);
  Add(105, EVENT_THREAD_SLEPT);
  EXPECT_EQ(Given(kAll), Texts{"100 ThreadSleep 1"});
}

TEST_F(ThresholdTest, CallsOfMethodsArePairsOfTheSameStack) {
  struct stack outer = {}, inner = {};
  Add(Event(100, EVENT_METHOD_ENTRY, 1, 0, &outer));
  Add(Event(101, EVENT_METHOD_ENTRY, 1, 0, &inner));
  Add(Event(104, EVENT_METHOD_EXIT, 1, 0xC1, &inner));  // the class of what was thrown
  Add(Event(112, EVENT_METHOD_EXIT, 1, 0, &outer));
  EXPECT_EQ(Given(112), (Texts{"100 MethodEntry 1", "112 MethodExit 1"}));
  EXPECT_EQ(Pairs(), 1u);
}

// AddressSanitizer tells if anything is given back twice or never.
TEST_F(ThresholdTest, GivesBackWhatItLeavesOutAndWhatItHoldsAtItsEnd) {
  auto *stack = static_cast<struct stack *>(calloc(1, sizeof(struct stack)));
  stack->uses = 2;
  Add(Event(100, EVENT_THREAD_SLEEP, 1, 0, stack));
  Add(Event(101, EVENT_THREAD_SLEPT, 1, 0, stack));
  Add(102, EVENT_THREAD_SLEEP);
  struct record started = Event(103, EVENT_THREAD_STARTED, 2);
  started.u.name.text = strdup("main");
  started.u.name.len = 4;
  Add(started);
  EXPECT_EQ(given_, Texts());
}

// --- the bound ---------------------------------------------------------------------------------

TEST_F(ThresholdTest, AtTheBoundTheEarliestIsGivenEarlyAndItsEndToo) {
  Add(100, EVENT_THREAD_SLEEP, 1);
  for (size_t i = 1; i < THRESHOLD_MAX_HELD; i++) Add(101, EVENT_SEMAPHORE_RELEASE, 2, 0xA);
  EXPECT_EQ(given_, Texts());
  Add(102, EVENT_SEMAPHORE_RELEASE, 2, 0xA);
  EXPECT_EQ(Early(), 1u);
  ASSERT_EQ(given_.size(), THRESHOLD_MAX_HELD + 1);  // nothing else was held back
  EXPECT_EQ(given_.front(), "100 ThreadSleep 1");
  Add(103, EVENT_THREAD_SLEPT, 1);
  EXPECT_EQ(given_.back(), "103 ThreadSlept 1");
  EXPECT_EQ(Pairs(), 0u);
}

TEST_F(ThresholdTest, OpenBeginsAreBoundedToo) {
  size_t num = THRESHOLD_MAX_HELD + 1000;
  for (size_t i = 1; i <= num; i++) Add(100, EVENT_THREAD_SLEEP, static_cast<uint32_t>(i));
  EXPECT_EQ(Early(), 1000u);
  EXPECT_EQ(given_.size(), 1000u);
  for (size_t i = num; i > 0; i--) Add(101, EVENT_THREAD_SLEPT, static_cast<uint32_t>(i));
  EXPECT_EQ(Pairs(), THRESHOLD_MAX_HELD);
  EXPECT_EQ(Given(kAll).size(), 2000u);
}

// --- against a second computation ---------------------------------------------------------------

// Random calls of a few threads, one inside the other, and events between them. What has to be
// there is worked out with all of it at hand.
TEST_F(ThresholdTest, HoldsWhatIsLongAndNothingElse) {
  struct Line {
    struct record event;
    bool there;
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
      lines.push_back({Event(time, EVENT_OBJECT_NOTIFY, thread), true});
    } else if (what < 3 && calls.size() < 6) {
      bool method = random() % 2 == 0;
      calls.push_back(lines.size());
      lines.push_back(
          {Event(time, method ? EVENT_METHOD_ENTRY : EVENT_LOCK_ACQUIRE, thread), true});
    } else if (!calls.empty()) {
      Line &begin = lines[calls.back()];
      calls.pop_back();
      bool is_long = time - begin.event.time_ns >= kLeast;
      num_short += !is_long;
      begin.there = is_long;
      auto end = static_cast<enum event_kind>(begin.event.event + 1);
      lines.push_back({Event(time, end, thread), is_long});
    }
  }
  Texts expected;
  for (const Line &line : lines) {
    Add(line.event);
    if (!line.there) continue;
    expected.push_back(std::to_string(line.event.time_ns) + " " +
                       event_infos[line.event.event].name + " " +
                       std::to_string(line.event.thread));
  }
  EXPECT_EQ(Given(kAll), expected);
  EXPECT_EQ(Pairs(), num_short);
  EXPECT_GT(num_short, 1000u);
  EXPECT_GT(expected.size(), 10000u);
}

}  // namespace
