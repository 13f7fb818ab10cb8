#include "agent/queue/queue.h"

#include <semaphore.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
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

struct record MakeRecord(uint32_t thread, uint32_t number = 0) {
  struct record r = {};
  r.thread = thread;
  r.object = number;
  return r;
}

uint64_t Push(struct queue *q, unsigned lane, uint32_t thread, uint32_t number = 0) {
  struct record r = MakeRecord(thread, number);
  return queue_push(q, lane, &r);
}

struct Batch {
  std::vector<struct record> records;
  uint64_t complete_ns;
};

Batch TakeBatch(struct queue *q, unsigned lane, size_t max = 1000) {
  Batch t{std::vector<struct record>(max), 0};
  t.records.resize(queue_take(q, lane, t.records.data(), max, &t.complete_ns));
  return t;
}

// --- one thread ------------------------------------------------------------------------

TEST(Queue, TellsItsSize) {
  Queue q = NewQueue(2, 8);
  EXPECT_EQ(queue_size(q.get()).entries, 0u);
  EXPECT_GT(queue_size(q.get()).bytes, 2 * 8 * sizeof(struct record));
  for (uint32_t i = 0; i < 20; i++) {
    Push(q.get(), 0, 0xA);
    Push(q.get(), 1, 0xB);
    Push(q.get(), 1, 0xC);
    EXPECT_EQ(queue_size(q.get()).entries, 3u);
    TakeBatch(q.get(), 1, 1);
    EXPECT_EQ(queue_size(q.get()).entries, 2u);
    TakeBatch(q.get(), 0), TakeBatch(q.get(), 1);
    EXPECT_EQ(queue_size(q.get()).entries, 0u);
  }
}

TEST(Queue, ReturnsRecordsInOrderWithTheirTimes) {
  Queue q = NewQueue(2, 8);
  EXPECT_EQ(queue_num_lanes(q.get()), 2u);
  uint64_t before = clock_monotonic_ns();
  uint64_t first = Push(q.get(), 1, 0xA, 7), second = Push(q.get(), 1, 0xB, 8);
  EXPECT_GE(first, before);
  EXPECT_GE(second, first);
  EXPECT_LE(second, clock_monotonic_ns());
  Batch t = TakeBatch(q.get(), 1);
  ASSERT_EQ(t.records.size(), 2u);
  EXPECT_EQ(t.records[0].thread, 0xAu);
  EXPECT_EQ(t.records[0].object, 7u);
  EXPECT_EQ(t.records[0].time_ns, first);
  EXPECT_EQ(t.records[1].thread, 0xBu);
  EXPECT_EQ(t.records[1].time_ns, second);
  EXPECT_TRUE(TakeBatch(q.get(), 1).records.empty());
}

TEST(Queue, LanesAreIndependent) {
  Queue q = NewQueue(2, 8);
  Push(q.get(), 0, 0xA);
  EXPECT_TRUE(TakeBatch(q.get(), 1).records.empty());
  EXPECT_EQ(TakeBatch(q.get(), 0).records.size(), 1u);
}

TEST(Queue, OnlyAFullLaneRefuses) {
  Queue q = NewQueue(2, 8);
  uint32_t n = 0;
  while (Push(q.get(), 0, n) != 0) n++;
  EXPECT_EQ(n, 7u);  // one slot of a ring stays free
  EXPECT_NE(Push(q.get(), 1, 0), 0u);
  EXPECT_EQ(TakeBatch(q.get(), 0, 1).records.size(), 1u);
  EXPECT_NE(Push(q.get(), 0, 7), 0u);
  EXPECT_EQ(Push(q.get(), 0, 8), 0u);
  Batch t = TakeBatch(q.get(), 0);
  ASSERT_EQ(t.records.size(), 7u);
  for (uint32_t i = 0; i < 7; i++) EXPECT_EQ(t.records[i].thread, i + 1);
}

TEST(Queue, TakesAtMostMaxRecords) {
  Queue q = NewQueue(1, 8);
  for (uint32_t i = 0; i < 5; i++) Push(q.get(), 0, i);
  EXPECT_EQ(TakeBatch(q.get(), 0, 0).records.size(), 0u);
  EXPECT_EQ(TakeBatch(q.get(), 0, 2).records.size(), 2u);
  EXPECT_EQ(TakeBatch(q.get(), 0, 2).records.size(), 2u);
  EXPECT_EQ(TakeBatch(q.get(), 0, 2).records.size(), 1u);
}

TEST(Queue, WakesTheWriterWhenALaneIsHalfFullAndWhenItIsFull) {
  int wakes = 0;
  Queue q{queue_new(
              1, 16, [](void *n) { ++*static_cast<int *>(n); }, &wakes),
          queue_free};
  for (uint32_t i = 0; i < 8; i++) Push(q.get(), 0, i);
  EXPECT_EQ(wakes, 0);
  Push(q.get(), 0, 8);
  EXPECT_EQ(wakes, 1);
  while (Push(q.get(), 0, 9) != 0) continue;
  EXPECT_EQ(wakes, 2);
}

// --- completeness ------------------------------------------------------------------------

TEST(QueueComplete, AnEmptyLaneIsCompleteUpToTheCall) {
  Queue q = NewQueue(1, 8);
  uint64_t before = clock_monotonic_ns();
  uint64_t complete = TakeBatch(q.get(), 0).complete_ns, after = clock_monotonic_ns();
  EXPECT_GE(complete, before);
  EXPECT_LE(complete, after);
}

TEST(QueueComplete, AnEmptiedLaneIsCompleteUpToTheCall) {
  Queue q = NewQueue(1, 8);
  uint64_t last = Push(q.get(), 0, 0xA);
  EXPECT_GE(TakeBatch(q.get(), 0).complete_ns, last);
}

TEST(QueueComplete, ARecordLeftInTheLaneDelaysCompleteness) {
  Queue q = NewQueue(1, 8);
  Push(q.get(), 0, 0xA);
  uint64_t second = Push(q.get(), 0, 0xB);
  EXPECT_LE(TakeBatch(q.get(), 0, 1).complete_ns, second);
  EXPECT_GE(TakeBatch(q.get(), 0, 1).complete_ns, second);
}

// --- sleep ---------------------------------------------------------------------------------

// A queue with one lane that counts its calls of `wake`.
struct WakeCounter {
  int times = 0;
  Queue q{queue_new(
              1, 16, [](void *n) { ++*static_cast<int *>(n); }, &times),
          queue_free};
};

TEST(QueueSleep, TheNextPushWakesTheWriterOnce) {
  WakeCounter w;
  ASSERT_TRUE(queue_announce_sleep(w.q.get()));
  EXPECT_EQ(w.times, 0);
  Push(w.q.get(), 0, 0xA);
  EXPECT_EQ(w.times, 1);
  Push(w.q.get(), 0, 0xB);
  EXPECT_EQ(w.times, 1);
}

TEST(QueueSleep, IsRefusedWhileALaneHasARecord) {
  WakeCounter w;
  Push(w.q.get(), 0, 0xA);
  EXPECT_FALSE(queue_announce_sleep(w.q.get()));
  Push(w.q.get(), 0, 0xB);
  EXPECT_EQ(w.times, 0);
  EXPECT_EQ(TakeBatch(w.q.get(), 0).records.size(), 2u);
  EXPECT_TRUE(queue_announce_sleep(w.q.get()));
}

TEST(QueueSleep, AnAwakeWriterIsNotWoken) {
  WakeCounter w;
  ASSERT_TRUE(queue_announce_sleep(w.q.get()));
  queue_withdraw_sleep(w.q.get());
  Push(w.q.get(), 0, 0xA);
  EXPECT_EQ(w.times, 0);
}

TEST(QueueSleep, IsRefusedWithoutAWakeFunction) {
  Queue q = NewQueue(1, 8);
  EXPECT_FALSE(queue_announce_sleep(q.get()));
}

// --- many threads ------------------------------------------------------------------------

// Several producers push as fast as they can, and retry when a lane is full. One thread takes the
// records and checks them.
class Stress {
 public:
  Stress(struct queue *q, uint32_t producers, uint32_t each)
      : q_(q), producers_(producers), each_(each), next_(producers) {}

  void Run() {
    RunConcurrently(static_cast<int>(producers_) + 1, [this](int i) {
      if (static_cast<uint32_t>(i) < producers_) {
        Produce(static_cast<uint32_t>(i));
      } else {
        Consume();
      }
    });
    for (uint32_t n : next_) EXPECT_EQ(n, each_);  // no record is lost or duplicated
    EXPECT_EQ(out_of_order_, 0);
    EXPECT_EQ(late_, 0);
  }

 private:
  unsigned GetLane(uint32_t thread) const { return thread % queue_num_lanes(q_); }

  void Produce(uint32_t thread) {
    for (uint32_t n = 0; n < each_; n++) {
      while (Push(q_, GetLane(thread), thread, n) == 0) std::this_thread::yield();
    }
    done_++;
  }

  void Consume() {
    std::vector<uint64_t> complete(queue_num_lanes(q_));
    for (bool last = false; !last;) {
      last = done_ == producers_;
      for (unsigned lane = 0; lane < complete.size(); lane++) {
        for (Batch t; !(t = TakeBatch(q_, lane, 1 + lane * 5)).records.empty();) {
          for (const struct record &r : t.records) Check(r, lane, complete[lane]);
          if (t.complete_ns < complete[lane]) out_of_order_++;
          complete[lane] = t.complete_ns;
        }
      }
    }
  }

  void Check(const struct record &r, unsigned lane, uint64_t complete_before) {
    if (GetLane(r.thread) != lane || r.object != next_[r.thread]++) out_of_order_++;
    if (r.time_ns < complete_before) late_++;
  }

  struct queue *q_;
  uint32_t producers_, each_;
  std::vector<uint32_t> next_;  // the next number expected from each thread
  int out_of_order_ = 0, late_ = 0;
  std::atomic<uint32_t> done_{0};
};

TEST(QueueStress, SmallRingsLoseNothing) {
  Queue q = NewQueue(3, 8);
  Stress(q.get(), 6, 1000).Run();
}

TEST(QueueStress, OneLargeRingLosesNothing) {
  Queue q = NewQueue(1, 8192);
  Stress(q.get(), 4, 5000).Run();
}

TEST(QueueStress, PositionsMayWrapAround) {
  Queue q = NewQueue(2, 8);
  for (unsigned lane = 0; lane < 2; lane++) queue_set_position(q.get(), lane, 0xFFFFFFF0u);
  Stress(q.get(), 4, 1000).Run();
}

TEST(QueueStress, TimesOfOneThreadAscendInItsLane) {
  Queue q = NewQueue(1, 64);
  std::atomic<int> running{3};
  std::vector<uint64_t> last(3);
  int backwards = 0;
  RunConcurrently(4, [&](int i) {
    if (i < 3) {
      for (int n = 0; n < 3000; n++) {
        while (Push(q.get(), 0, static_cast<uint32_t>(i)) == 0) std::this_thread::yield();
      }
      running--;
      return;
    }
    for (bool more = true; more;) {
      more = running > 0;
      for (const struct record &r : TakeBatch(q.get(), 0).records) {
        if (r.time_ns < last[r.thread]) backwards++;
        last[r.thread] = r.time_ns;
        more = true;
      }
    }
  });
  EXPECT_EQ(backwards, 0);
}

// The writer sleeps whenever it may, without a time limit, so a lost wake-up makes the test time
// out. After some pushes a producer waits until the writer sleeps again.
TEST(QueueStress, ASleepingWriterIsAlwaysWoken) {
  const int kProducers = 3, kEach = 3000, kBetween = 100;
  sem_t wake;
  sem_init(&wake, 0, 0);
  Queue q{queue_new(
              2, 64, [](void *s) { sem_post(static_cast<sem_t *>(s)); }, &wake),
          queue_free};
  int taken = 0;
  std::atomic<int> sleeps{0};
  RunConcurrently(kProducers + 1, [&](int i) {
    for (int n = 0; i < kProducers && n < kEach; n++) {
      const int before = sleeps;
      while (Push(q.get(), static_cast<unsigned>(i) % 2, static_cast<uint32_t>(i)) == 0) {
        std::this_thread::yield();
      }
      while (n % kBetween == 0 && sleeps == before) std::this_thread::yield();
    }
    while (i == kProducers && taken < kProducers * kEach) {
      if (queue_announce_sleep(q.get())) {
        sleeps++;
        while (sem_wait(&wake) != 0) continue;
        queue_withdraw_sleep(q.get());
      }
      for (unsigned lane = 0; lane < 2; lane++) {
        taken += static_cast<int>(TakeBatch(q.get(), lane).records.size());
      }
    }
  });
  EXPECT_EQ(taken, kProducers * kEach);
  EXPECT_GE(sleeps, kEach / kBetween);
  sem_destroy(&wake);
}

// Each thread pushes some records and ends, some of them early. Their records stay, and their lanes
// go on.
TEST(QueueStress, RecordsOfEndedThreadsStay) {
  const uint32_t kThreads = 300, kEach = 40;
  Queue q = NewQueue(2, 16);
  for (unsigned lane = 0; lane < 2; lane++) queue_set_position(q.get(), lane, 0xFFFFFF00u);
  std::atomic<uint32_t> next{0}, pushed{0};
  std::atomic<int> spawners{3};
  std::vector<uint32_t> taken(kThreads), expected(kThreads);
  int out_of_order = 0;
  RunConcurrently(4, [&](int i) {
    for (uint32_t id; i < 3 && (id = next++) < kThreads;) {
      expected[id] = id % 4 == 0 ? id % kEach : kEach;
      std::thread([&, id] {
        for (uint32_t n = 0; n < expected[id]; n++, pushed++) {
          while (Push(q.get(), id % 2, id, n) == 0) std::this_thread::yield();
        }
      }).join();
    }
    if (i < 3) {
      spawners--;
      return;
    }
    for (bool last = false; !last;) {
      last = spawners == 0;
      for (unsigned lane = 0; lane < 2; lane++) {
        for (const struct record &r : TakeBatch(q.get(), lane).records) {
          if (r.object != taken[r.thread]++) out_of_order++;
        }
      }
    }
  });
  EXPECT_EQ(taken, expected);
  EXPECT_EQ(out_of_order, 0);
}

// Like overflow=drop in the recorder: a producer does not retry when its lane is full.
TEST(QueueStress, EveryPushIsRefusedOrArrives) {
  const uint32_t kProducers = 4, kEach = 5000;
  Queue q = NewQueue(1, 16);
  queue_set_position(q.get(), 0, 0xFFFFFF00u);
  std::atomic<uint32_t> refused{0}, done{0};
  std::vector<int64_t> last(kProducers, -1);
  uint32_t taken = 0;
  int backwards = 0;
  RunConcurrently(static_cast<int>(kProducers) + 1, [&](int i) {
    uint32_t id = static_cast<uint32_t>(i);
    for (uint32_t n = 0; id < kProducers && n < kEach; n++) refused += Push(q.get(), 0, id, n) == 0;
    if (id < kProducers) {
      done++;
      return;
    }
    while (refused == 0) std::this_thread::yield();
    for (bool end = false; !end;) {
      end = done == kProducers;
      for (const struct record &r : TakeBatch(q.get(), 0).records) {
        if (r.object <= last[r.thread]) backwards++;
        last[r.thread] = r.object;
        taken++;
      }
    }
  });
  EXPECT_EQ(taken + refused, kProducers * kEach);
  EXPECT_GT(refused, 0u);
  EXPECT_EQ(backwards, 0);
}

}  // namespace
