#include "agent/queue/queue.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "agent/base/clock.h"
#include "gtest/gtest.h"
#include "tests/agent/queue/queue_at.h"
#include "tests/support/at_once.h"

namespace {

using Queue = std::unique_ptr<struct queue, void (*)(struct queue *)>;

Queue NewQueue(unsigned lanes, unsigned slots) {
  return {queue_new(lanes, slots, nullptr, nullptr), queue_free};
}

struct record Record(uint32_t thread, uint32_t number = 0) {
  struct record r = {};
  r.thread = thread;
  r.object = number;
  return r;
}

uint64_t Push(struct queue *q, unsigned lane, uint32_t thread, uint32_t number = 0) {
  struct record r = Record(thread, number);
  return queue_push(q, lane, &r);
}

struct Taken {
  std::vector<struct record> records;
  uint64_t complete_ns;
};

Taken Take(struct queue *q, unsigned lane, size_t max = 1000) {
  Taken t{std::vector<struct record>(max), 0};
  t.records.resize(queue_take(q, lane, t.records.data(), max, &t.complete_ns));
  return t;
}

// --- one thread ------------------------------------------------------------------------

TEST(Queue, GivesRecordsAsTheyCameWithTheirTimes) {
  Queue q = NewQueue(2, 8);
  EXPECT_EQ(queue_num_lanes(q.get()), 2u);
  uint64_t before = clock_monotonic_ns();
  uint64_t first = Push(q.get(), 1, 0xA, 7), second = Push(q.get(), 1, 0xB, 8);
  EXPECT_GE(first, before);
  EXPECT_GE(second, first);
  EXPECT_LE(second, clock_monotonic_ns());
  Taken t = Take(q.get(), 1);
  ASSERT_EQ(t.records.size(), 2u);
  EXPECT_EQ(t.records[0].thread, 0xAu);
  EXPECT_EQ(t.records[0].object, 7u);
  EXPECT_EQ(t.records[0].time_ns, first);
  EXPECT_EQ(t.records[1].thread, 0xBu);
  EXPECT_EQ(t.records[1].time_ns, second);
  EXPECT_TRUE(Take(q.get(), 1).records.empty());
}

TEST(Queue, LanesAreApart) {
  Queue q = NewQueue(2, 8);
  Push(q.get(), 0, 0xA);
  EXPECT_TRUE(Take(q.get(), 1).records.empty());
  EXPECT_EQ(Take(q.get(), 0).records.size(), 1u);
}

TEST(Queue, AFullLaneRefusesAndTheOthersDoNot) {
  Queue q = NewQueue(2, 8);
  uint32_t n = 0;
  while (Push(q.get(), 0, n) != 0) n++;
  EXPECT_EQ(n, 7u);  // one slot of a ring stays free
  EXPECT_NE(Push(q.get(), 1, 0), 0u);
  EXPECT_EQ(Take(q.get(), 0, 1).records.size(), 1u);
  EXPECT_NE(Push(q.get(), 0, 7), 0u);
  EXPECT_EQ(Push(q.get(), 0, 8), 0u);
  Taken t = Take(q.get(), 0);
  ASSERT_EQ(t.records.size(), 7u);
  for (uint32_t i = 0; i < 7; i++) EXPECT_EQ(t.records[i].thread, i + 1);
}

TEST(Queue, TakesNoMoreThanIsAskedFor) {
  Queue q = NewQueue(1, 8);
  for (uint32_t i = 0; i < 5; i++) Push(q.get(), 0, i);
  EXPECT_EQ(Take(q.get(), 0, 0).records.size(), 0u);
  EXPECT_EQ(Take(q.get(), 0, 2).records.size(), 2u);
  EXPECT_EQ(Take(q.get(), 0, 2).records.size(), 2u);
  EXPECT_EQ(Take(q.get(), 0, 2).records.size(), 1u);
}

TEST(Queue, WakesTheWriterWhenALaneIsHalfFullAndWhenItIsFull) {
  int woken = 0;
  Queue q{queue_new(
              1, 16, [](void *n) { ++*static_cast<int *>(n); }, &woken),
          queue_free};
  for (uint32_t i = 0; i < 8; i++) Push(q.get(), 0, i);
  EXPECT_EQ(woken, 0);
  Push(q.get(), 0, 8);
  EXPECT_EQ(woken, 1);
  while (Push(q.get(), 0, 9) != 0) continue;
  EXPECT_EQ(woken, 2);
}

// --- what is complete --------------------------------------------------------------------

TEST(QueueComplete, AnEmptyLaneIsCompleteUpToTheLook) {
  Queue q = NewQueue(1, 8);
  uint64_t before = clock_monotonic_ns();
  uint64_t complete = Take(q.get(), 0).complete_ns, after = clock_monotonic_ns();
  EXPECT_GE(complete, before);
  EXPECT_LE(complete, after);
}

TEST(QueueComplete, ALaneThatWasEmptiedIsCompleteUpToTheLook) {
  Queue q = NewQueue(1, 8);
  uint64_t last = Push(q.get(), 0, 0xA);
  EXPECT_GE(Take(q.get(), 0).complete_ns, last);
}

TEST(QueueComplete, WhatWasLeftInTheLaneHoldsItBack) {
  Queue q = NewQueue(1, 8);
  Push(q.get(), 0, 0xA);
  uint64_t second = Push(q.get(), 0, 0xB);
  EXPECT_LE(Take(q.get(), 0, 1).complete_ns, second);
  EXPECT_GE(Take(q.get(), 0, 1).complete_ns, second);
}

// --- many threads ------------------------------------------------------------------------

// Some threads push as fast as they can, again when a lane is full; one takes and checks.
class Stress {
 public:
  Stress(struct queue *q, uint32_t producers, uint32_t each)
      : q_(q), producers_(producers), each_(each), next_(producers) {}

  void Run() {
    AtOnce(static_cast<int>(producers_) + 1, [this](int i) {
      if (static_cast<uint32_t>(i) < producers_) {
        Produce(static_cast<uint32_t>(i));
      } else {
        Consume();
      }
    });
    for (uint32_t n : next_) EXPECT_EQ(n, each_);  // nothing lost, nothing twice
    EXPECT_EQ(out_of_order_, 0);
    EXPECT_EQ(too_late_, 0);
  }

 private:
  unsigned LaneOf(uint32_t thread) const { return thread % queue_num_lanes(q_); }

  void Produce(uint32_t thread) {
    for (uint32_t n = 0; n < each_; n++) {
      while (Push(q_, LaneOf(thread), thread, n) == 0) std::this_thread::yield();
    }
    done_++;
  }

  void Consume() {
    std::vector<uint64_t> complete(queue_num_lanes(q_));
    for (bool last = false; !last;) {
      last = done_ == producers_;
      for (unsigned lane = 0; lane < complete.size(); lane++) {
        for (Taken t; !(t = Take(q_, lane, 1 + lane * 5)).records.empty();) {
          for (const struct record &r : t.records) Check(r, lane, complete[lane]);
          if (t.complete_ns < complete[lane]) out_of_order_++;
          complete[lane] = t.complete_ns;
        }
      }
    }
  }

  void Check(const struct record &r, unsigned lane, uint64_t complete_before) {
    if (LaneOf(r.thread) != lane || r.object != next_[r.thread]++) out_of_order_++;
    if (r.time_ns < complete_before) too_late_++;
  }

  struct queue *q_;
  uint32_t producers_, each_;
  std::vector<uint32_t> next_;  // the number that is to come next of each thread
  int out_of_order_ = 0, too_late_ = 0;
  std::atomic<uint32_t> done_{0};
};

TEST(QueueStress, SmallRingsWithSeveralProducersEach) {
  Queue q = NewQueue(3, 8);
  Stress(q.get(), 6, 1000).Run();
}

TEST(QueueStress, OneLargeRing) {
  Queue q = NewQueue(1, 8192);
  Stress(q.get(), 4, 5000).Run();
}

TEST(QueueStress, CountersThatWrapAround) {
  Queue q = NewQueue(2, 8);
  for (unsigned lane = 0; lane < 2; lane++) queue_set_place(q.get(), lane, 0xFFFFFFF0u);
  Stress(q.get(), 4, 1000).Run();
}

// Of one thread, also the times ascend.
TEST(QueueStress, TimesOfOneThreadAscendInItsLane) {
  Queue q = NewQueue(1, 64);
  std::atomic<int> running{3};
  std::vector<uint64_t> last(3);
  int backwards = 0;
  AtOnce(4, [&](int i) {
    if (i < 3) {
      for (int n = 0; n < 3000; n++) {
        while (Push(q.get(), 0, static_cast<uint32_t>(i)) == 0) std::this_thread::yield();
      }
      running--;
      return;
    }
    for (bool more = true; more;) {
      more = running > 0;
      for (const struct record &r : Take(q.get(), 0).records) {
        if (r.time_ns < last[r.thread]) backwards++;
        last[r.thread] = r.time_ns;
        more = true;
      }
    }
  });
  EXPECT_EQ(backwards, 0);
}

}  // namespace
